import { usage } from "../failure.ts";

/** Parses `team=web` and `nightly` to the labels of the API. */
export function readLabels(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map(splitLabel));
}

/** The API filters by `key` or `key:value`. */
export function labelFilter(text: string): string {
  const [key, value] = splitLabel(text);
  return text.includes("=") ? `${key}:${value}` : key;
}

function splitLabel(text: string): readonly [string, string] {
  const cut = text.indexOf("=");
  const key = cut < 0 ? text : text.slice(0, cut);
  if (key === "") throw usage(`invalid label ${JSON.stringify(text)} for --label. Use key or key=value`);
  return [key, cut < 0 ? "" : text.slice(cut + 1)];
}
