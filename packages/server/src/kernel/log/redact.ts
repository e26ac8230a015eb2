/** Matches a trigger's key or an access token, even if it is cut off or its secret part is percent-encoded. */
const keys = /(b(?:fk|at)_[0-9A-Za-z]{8})_[0-9A-Za-z%]+/gi;
/** Also matches one that lacks its first letters, because a percent sign before them made them an escape. */
const keysAndEnds = /(b(?:fk|at)_[0-9A-Za-z]{8})_[0-9A-Za-z%]+|([0-9A-Za-z]{8})_[0-9A-Za-z%]{32,}/gi;
/** Matches the escape of a percent sign or of a character that a key may have. */
const percentEscape = /%[2-7][0-9a-f]/gi;
/** The most decodings. One that is encoded more often is longer than any text that is searched. */
const decodingsMax = 100;
/** The most characters of a caller's value that a message repeats, and that are searched for keys. */
const repeatedMax = 100;
const lookedThroughMax = 1_000;

/** Removes the secret part of every trigger's key and access token, however often it is percent-encoded. */
export function withoutKeys(text: string): string {
  return without(keysAndEnds, text);
}

export function holdsKey(text: string): boolean {
  return without(keys, text) !== text;
}

/** Makes a caller's value fit for a message: at most a hundred characters, without a key or token. */
export function excerpt(value: string): string {
  const text = withoutKeys(value.slice(0, lookedThroughMax));
  const isWhole = text.length <= repeatedMax && value.length <= lookedThroughMax;
  return (isWhole ? text : `${text.slice(0, repeatedMax - 1)}…`).toWellFormed();
}

/** Makes every value in a sentence fit for a message. A value is one word, or quoted. */
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
