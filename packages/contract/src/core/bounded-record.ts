import { z } from "zod";
import { amountOf } from "./amounts.ts";

/**
 * A record of at most so many entries. They are counted before any is parsed: to parse eighty thousand of them only to
 * refuse their number would hold the daemon for a third of a second. (Of an array zod counts the items first by itself.)
 */
export function boundedRecord<K extends z.core.$ZodRecordKey, V extends z.core.SomeType>(
  record: z.ZodRecord<K, V>,
  { max, noun }: { readonly max: number; readonly noun: string },
) {
  const counted = z.transform<z.input<typeof record>, unknown>((value, context) => {
    // whatever else is wrong with it is the record's to say
    if (typeof value === "object" && value !== null && Object.keys(value).length > max)
      context.issues.push({
        code: "custom",
        message: `must have ${amountOf(noun, { minimum: 0, maximum: max })}`,
        input: value,
      });
    return value;
  });
  return counted.pipe(record).meta({ maxProperties: max });
}
