/** Writes a value as JSON with a check, so that a reader notices damage. A power failure is not the only cause of it. */
export function formatChecked(value: object): string {
  return JSON.stringify({ ...value, check: checksum(JSON.stringify(value)) });
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
  return check === checksum(JSON.stringify(value)) ? value : null;
}

/** FNV-1a with 32 bits. `node:zlib` would add three megabytes to each runner. */
function checksum(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
