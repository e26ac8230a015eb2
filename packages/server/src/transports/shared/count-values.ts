const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const bracket = 0x5b;
const brace = 0x7b;

/**
 * Counts the values and member names of a JSON text without building them, and stops at `most`: eight megabytes of
 * `[[],[],` would become hundreds of megabytes once parsed. The count is at most one too high for each list or object.
 */
export function countValues(text: Uint8Array, most: number): number {
  let count = 1;
  let isInString = false;
  for (let at = 0; at < text.length && count < most; at++) {
    const byte = text[at]!;
    if (isInString) {
      if (byte === backslash) at++;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === comma || byte === colon || byte === bracket || byte === brace) count++;
  }
  return count;
}
