/**
 * Counts how often a header was sent. Node joins or drops repeated headers, and its `headersDistinct` costs a pass over
 * all of them. Names are at the even indexes.
 */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at]!;
    if (sent.length === name.length && sent.toLowerCase() === name) count++;
  }
  return count;
}

/** Returns every value of a header that was sent. */
export function valuesOfHeader(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at]!;
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[at + 1]!);
  }
  return values;
}
