import { hashText } from "../fnv.ts";

/** Writes a value as JSON with a check, so that a reader notices damage. A power failure is not the only cause of it. */
export function formatChecked(value: object): string {
  return JSON.stringify({ ...value, check: hashText(JSON.stringify(value)) });
}

/** Parses a value; null if it is incomplete or damaged. Former versions wrote no check. */
export function parseChecked(text: string): object | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== "object" || parsed === null) return null;
  if (!("check" in parsed)) return parsed;
  const { check, ...value } = parsed;
  return check === hashText(JSON.stringify(value)) ? value : null;
}
