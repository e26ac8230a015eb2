import { hash } from "node:crypto";
import { randomText } from "../../kernel/ids.ts";

/** More credentials than one daemon serves at a time. Beyond it, the oldest is verified again. */
const keptMax = 10_000;
const saltCharacters = 43;

/**
 * Remembers which credential a token belongs to, because reading and comparing its stored hash costs as much as the rest
 * of a small request. That never changes: whether the credential is still valid is read each time. Only hashes are in
 * memory, with a salt of this process.
 */
export function createVerifiedTokens(max = keptMax) {
  const salt = randomText(saltCharacters);
  const credentials = new Map<string, string>();
  const keyOf = (token: string): string => hash("sha256", `${salt}${token}`, "base64");

  return {
    credentialOf: (token: string): string | null => credentials.get(keyOf(token)) ?? null,
    remember: (token: string, credentialId: string): void => {
      credentials.set(keyOf(token), credentialId);
      if (credentials.size > max) credentials.delete(credentials.keys().next().value!);
    },
  };
}
