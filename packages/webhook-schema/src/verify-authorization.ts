import { isSameBytes } from "./constant-time.ts";

/**
 * Whether an `Authorization` header is the value that the channel was given, in constant time. Several expected
 * values serve while one replaces another.
 *
 * @throws TypeError when nothing is expected, which would let everybody in.
 */
export async function verifyAuthorization(
  expected: string | readonly string[],
  header: string | null | undefined,
): Promise<boolean> {
  const values: readonly string[] = typeof expected === "string" ? [expected] : expected;
  // what a variable that is not set turns into must not match a header that is not there
  if (!values?.length || !values.every((value) => typeof value === "string" && value !== "")) {
    throw new TypeError("The expected authorization is empty: is the variable that it comes from set?");
  }
  const given = await digest(header ?? "");
  let isFound = false;
  for (const value of values) isFound = isSameBytes(await digest(value), given) || isFound;
  return isFound;
}

/** Of equal length whatever the text's: not even that is told by the time a comparison takes. */
async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
