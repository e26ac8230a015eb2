import { join } from "../data/count-names.ts";
import { describeError, isForbiddenCode, isNotFound } from "../data/errors.ts";
import type { Read } from "../data/read.ts";

/** One search of the palette: what it looked through, and how that went. */
export interface Searched {
  /** Such as `tasks`. */
  readonly what: string;
  readonly read: Pick<Read<unknown>, "error" | "isReading">;
}

/** What could not be searched, and why, as sentences. Null if everything was. */
export function problemOf(searched: readonly Searched[]): string | null {
  // what the caller may not read is not found, and neither is an id that nothing has
  const failed = searched.filter(
    ({ read: { error } }) => error !== null && !isForbiddenCode(error) && !isNotFound(error),
  );
  const [first] = failed;
  if (first === undefined) return null;
  const things = [...new Set(failed.map(({ what }) => what))];
  return `The search could not read ${join(things)}. ${describeError(first.read.error).text}`;
}
