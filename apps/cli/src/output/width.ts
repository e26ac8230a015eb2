// Only what differs from one column; ambiguous widths are one, as terminals have them outside East Asia.
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;

/** How many columns a text takes on a terminal. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7E]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

/** The text, or as much of it as fits with `…` at its end. */
export function truncate(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let width = 1;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += wide.test(segment) ? 2 : 1;
    if (width > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** On one line and without power over the terminal: a name or a command may hold anything. */
export function printable(text: string): string {
  return escapeUnsafe(
    text
      .replaceAll("\n", "↵")
      .replaceAll("\t", " ")
      .replaceAll(/\p{Cc}/gu, shown),
  );
}

/**
 * The same for whole sentences, whose own lines and colours stay: what JSON's quotes leave as it is and a terminal obeys.
 * Marks of direction would have it show what comes after a name as another text than it is.
 */
export function escapeUnsafe(text: string): string {
  return text.replaceAll(/[\x7F-\x9F\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, shown);
}

function shown(character: string): string {
  return `\\x${character.codePointAt(0)!.toString(16).padStart(2, "0")}`;
}
