/** The colours that a machine's output names. The page chooses how each looks. */
export const colours = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;
export type Colour = (typeof colours)[number] | "grey";

/** How a piece of text looks. What is absent is plain. */
export interface Style {
  readonly colour?: Colour;
  readonly background?: Colour;
  readonly isBold?: true;
  readonly isDim?: true;
  readonly isUnderlined?: true;
  readonly isInverse?: true;
}

export interface Span {
  readonly text: string;
  readonly style: Style;
}

export const plain: Style = {};

/**
 * Every escape sequence: of a style (its parameters are the first group), of the cursor and the like, of a title or a
 * link (which ends with BEL or ESC \), and a lone one. Other control characters but tab are left out too.
 */
const sequence = new RegExp(
  String.raw`(?:\x1b\[|\x9b)([0-9;:]*)m|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|(?:\x1b\[|\x9b)[0-?]*[ -/]*$|\x1b[ -/]*[0-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]`,
  "g",
);
const special = new RegExp(String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f]`);

/** Splits a line into pieces of one style each. Text is text: nothing of it is ever read as HTML. */
export function readAnsi(line: string, from: Style): { readonly spans: readonly Span[]; readonly style: Style } {
  if (!special.test(line)) return { spans: line === "" ? [] : [{ text: line, style: from }], style: from };
  const spans: Span[] = [];
  let style = from;
  let text = "";
  let end = 0;
  const flush = (): void => {
    if (text !== "") spans.push({ text, style });
    text = "";
  };
  for (const match of line.matchAll(sequence)) {
    text += line.slice(end, match.index);
    end = match.index + match[0].length;
    if (match[1] === undefined) continue;
    flush();
    style = applyStyle(style, match[1]);
  }
  text += line.slice(end);
  flush();
  return { spans, style };
}

/** The text of a line without escape sequences. */
export function textOf(line: string): string {
  return special.test(line) ? line.replaceAll(sequence, "") : line;
}

function applyStyle(from: Style, parameters: string): Style {
  let style = from;
  const numbers = parameters.split(/[;:]/).map(Number);
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index]!;
    if (number === 38 || number === 48) {
      const isIndexed = numbers[index + 1] === 5;
      const colour = isIndexed ? colourOf(numbers[index + 2] ?? -1) : undefined;
      style = number === 38 ? withColour(style, colour) : withBackground(style, colour);
      // a colour of 256 has one number after its kind, one of red, green and blue has three
      index += isIndexed ? 2 : 4;
    } else style = applyNumber(style, number);
  }
  return style;
}

function applyNumber(style: Style, number: number): Style {
  if (number === 0) return plain;
  if (number === 1) return { ...style, isBold: true };
  if (number === 2) return { ...style, isDim: true };
  if (number === 4) return { ...style, isUnderlined: true };
  if (number === 7) return { ...style, isInverse: true };
  if (number === 22) return without(style, "isBold", "isDim");
  if (number === 24) return without(style, "isUnderlined");
  if (number === 27) return without(style, "isInverse");
  if (number >= 30 && number <= 37) return withColour(style, colourOf(number - 30));
  if (number === 39) return withColour(style, undefined);
  if (number >= 40 && number <= 47) return withBackground(style, colourOf(number - 40));
  if (number === 49) return withBackground(style, undefined);
  if (number >= 90 && number <= 97) return withColour(style, colourOf(number - 82));
  if (number >= 100 && number <= 107) return withBackground(style, colourOf(number - 92));
  return style;
}

/** The bright colours look as the others do, but that bright black is grey. Those beyond 16 are left out. */
function colourOf(number: number): Colour | undefined {
  return number === 8 ? "grey" : number < 0 || number > 15 ? undefined : colours[number % 8];
}

function withColour(style: Style, colour: Colour | undefined): Style {
  return colour === undefined ? without(style, "colour") : { ...style, colour };
}

function withBackground(style: Style, background: Colour | undefined): Style {
  return background === undefined ? without(style, "background") : { ...style, background };
}

function without(style: Style, ...names: readonly (keyof Style)[]): Style {
  return Object.fromEntries(Object.entries(style).filter(([name]) => !names.includes(name as keyof Style)));
}
