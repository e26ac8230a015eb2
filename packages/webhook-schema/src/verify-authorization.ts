import { isSameBytes } from "./constant-time.ts";

/**
 * Whether an `Authorization` header equals the channel's authorization, in constant time. During a rotation, pass several
 * expected values.
 *
 * @throws TypeError if an expected value is missing or empty, because an unset variable must not disable the check.
 */
export async function verifyAuthorization(
  expected: string | readonly string[],
  header: string | null | undefined,
): Promise<boolean> {
  const values: readonly string[] = typeof expected === "string" ? [expected] : expected;
  // an unset variable must not match a missing header
  if (!values?.length || !values.every((value) => typeof value === "string" && value !== "")) {
    throw new TypeError("The expected authorization is empty. Check that the variable with the authorization is set.");
  }
  const given = await digest(header ?? "");
  let isFound = false;
  for (const value of values) isFound = isSameBytes(await digest(value), given) || isFound;
  return isFound;
}

/** Hashes have equal lengths, so the time of a comparison does not reveal the length of a text either. */
async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
