/**
 * Prints the document. Every writer of the committed document uses this format, because it is compared byte for byte.
 */
export function printDocument(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Describes the first difference between the committed text and the document; null if there is none. */
export function describeDifference(committed: string, document: object): string | null {
  const expected = printDocument(document);
  if (committed === expected) return null;
  const difference = firstDifference(parse(committed), parse(expected), "#");
  return difference ?? "the content is the same, but its order or formatting differs";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function firstDifference(committed: unknown, expected: unknown, at: string): string | null {
  if (!isBranch(committed) || !isBranch(expected) || Array.isArray(committed) !== Array.isArray(expected)) {
    return committed === expected ? null : `${at}: committed is ${show(committed)}, now it is ${show(expected)}`;
  }
  const names = new Set([...Object.keys(committed), ...Object.keys(expected)]);
  for (const name of names) {
    const deeper = firstDifference(committed[name], expected[name], `${at}/${pointerPart(name)}`);
    if (deeper !== null) return deeper;
  }
  return null;
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** RFC 6901. */
function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function show(value: unknown): string {
  if (value === undefined) return "absent";
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}...` : text;
}
