/** As much of a trigger's key as is there, its secret part encoded or not. */
const keys = /(bfk_[0-9A-Za-z]{8})_[0-9A-Za-z%]+/gi;
/** The same, and one that lost its first letters to a percent sign before them. */
const keysAndEnds = /(bfk_[0-9A-Za-z]{8})_[0-9A-Za-z%]+|([0-9A-Za-z]{8})_[0-9A-Za-z%]{32,}/gi;
/** A character that a key may have, or a percent sign, written as its code. */
const percentEscape = /%[2-7][0-9a-f]/gi;
/** A key that is encoded more often is longer than any text that is searched. */
const decodingsMax = 100;
/** The most that is repeated of one value that a caller sent, and as much of it as is looked through for keys. */
const repeatedMax = 100;
const lookedThroughMax = 1_000;

/** Takes out the secret part of every trigger's key, however often it is percent-encoded. */
export function withoutKeys(text: string): string {
  return without(keysAndEnds, text);
}

export function holdsKey(text: string): boolean {
  return without(keys, text) !== text;
}

/** What may be repeated of a value that a caller sent: no key, and not more than a hundred characters. */
export function excerpt(value: string): string {
  const text = withoutKeys(value.slice(0, lookedThroughMax));
  const isWhole = text.length <= repeatedMax && value.length <= lookedThroughMax;
  return (isWhole ? text : `${text.slice(0, repeatedMax - 1)}…`).toWellFormed();
}

/** The same for every value in a sentence: each is one word, or in quotes. */
export function excerptEach(sentence: string): string {
  return sentence.replace(/"((?:[^"\\]|\\.)*)"|\S+/g, (word, quoted?: string) =>
    quoted === undefined ? excerpt(word) : `"${excerpt(quoted)}"`,
  );
}

function without(pattern: RegExp, text: string): string {
  const cut = (part: string): string =>
    part.replace(pattern, (_, ofKey?: string, ofEnd?: string) => `${ofKey ?? ofEnd}_[secret]`);
  let kept = cut(text);
  let read = kept;
  for (let times = 0; times < decodingsMax; times++) {
    const decoded = read.replace(percentEscape, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
    if (decoded === read) break;
    read = cut(decoded);
    if (read !== decoded) kept = read;
  }
  return kept;
}
