import { compilePattern } from "../pattern.ts";
import type { Bytes } from "./name-hash.ts";

const isAscii = (name: Bytes): boolean => !/[\u0080-\u00ff]/.test(name);

/** Whether a name matches a pattern. Bytes that are not UTF-8 match what any character matches. */
export function createSelector(pattern: string): (name: Bytes) => boolean {
  if (pattern === "*") return (name) => !name.startsWith(".");
  const matches = compilePattern(pattern);
  return (name) => matches(isAscii(name) ? name : Buffer.from(name, "latin1").toString("utf8"));
}
