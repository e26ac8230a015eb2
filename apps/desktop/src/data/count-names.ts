import { count } from "./words.ts";

const namedMax = 3;

/** `2 triggers (CI, Deploy)`; null for none. `isMore` says that there are more than the known names. */
export function countNames(names: readonly string[], one: string, isMore = false): string | null {
  if (names.length === 0) return null;
  const number = isMore ? `more than ${count(names.length, one)}` : count(names.length, one);
  const named = names.slice(0, namedMax).join(", ");
  return `${number} (${named}${names.length > namedMax || isMore ? ", …" : ""})`;
}

/** `one, two and three` */
export function join(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)!}`;
}

/** The counted things as the subject of a verb: `1 schedule (Daily) is`, `1 schedule (Daily) and 2 chains are`. */
export function joinWithVerb(parts: readonly string[], [one, many]: readonly [one: string, many: string]): string {
  const isOne = parts.length === 1 && parts[0]!.startsWith("1 ");
  return `${join(parts)} ${isOne ? one : many}`;
}
