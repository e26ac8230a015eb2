import { z } from "zod";
import { amountOf } from "./amounts.ts";

/**
 * Makes a record with at most `max` entries. They are counted before any is parsed: parsing 80,000 entries only to
 * reject their number would block the daemon for a third of a second. (Zod counts the items of an array first by
 * itself.)
 */
export function boundedRecord<K extends z.core.$ZodRecordKey, V extends z.core.SomeType>(
  record: z.ZodRecord<K, V>,
  { max, noun }: { readonly max: number; readonly noun: string },
) {
  const counted = z.transform<z.input<typeof record>, unknown>((value, context) => {
    // the record's own schema reports every other fault
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
