/** In an address an underscore may be written as its code. */
const triggerKey = /(bfk(?:_|%5f)[0-9A-Za-z]{8})(?:_|%5f)[0-9A-Za-z]+/gi;

/** Takes out what has the form of a trigger's key: somebody may have put one where a name or an id belongs. */
export function withoutKeys(text: string): string {
  return text.replace(triggerKey, "$1_[secret]");
}

export function holdsKey(text: string): boolean {
  return withoutKeys(text) !== text;
}
