// Characters that are two columns wide. Ambiguous ones are counted as one, as in terminals outside East Asia.
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;

/** The width of a text in terminal columns. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7E]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

/** Truncates a text to a width, with `…` at its end. */
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

/** Escapes control characters and line breaks, which names and commands can contain. */
export function printable(text: string): string {
  return escapeUnsafe(
    text
      .replaceAll("\n", "↵")
      .replaceAll("\t", " ")
      .replaceAll(/\p{Cc}/gu, escapeCharacter),
  );
}

/**
 * Escapes what JSON.stringify leaves unescaped and a terminal interprets, for texts with lines and colors of their own.
 * Bidirectional controls would make a terminal show the text after a name in another order.
 */
export function escapeUnsafe(text: string): string {
  return text.replaceAll(/[\x7F-\x9F\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\x${character.codePointAt(0)!.toString(16).padStart(2, "0")}`;
}
