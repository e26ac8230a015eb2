import { usage } from "../failure.ts";

/** `team=web` and `nightly`, as the wire has them. */
export function readLabels(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map(splitLabel));
}

/** A filter by label: `key` or `key:value` on the wire. */
export function labelFilter(text: string): string {
  const [key, value] = splitLabel(text);
  return text.includes("=") ? `${key}:${value}` : key;
}

function splitLabel(text: string): readonly [string, string] {
  const cut = text.indexOf("=");
  const key = cut < 0 ? text : text.slice(0, cut);
  if (key === "") throw usage(`--label is a key, or key=value, not ${JSON.stringify(text)}`);
  return [key, cut < 0 ? "" : text.slice(cut + 1)];
}
