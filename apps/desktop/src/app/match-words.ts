/** Whether a name has every word of a text, in any order. */
export function matchesWords(name: string, text: string): boolean {
  return wordsOf(text).every((word) => name.toLowerCase().includes(word));
}

/**
 * Whether a text is for an act of a page: `disable backup` is for `Disable` on the page of `Backup`. The name of the
 * page alone is not, so that Enter after a name never does more than open what has it.
 */
export function matchesAct({ text, page }: { readonly text: string; readonly page: string }, typed: string): boolean {
  const words = wordsOf(typed);
  return (
    matchesWords(`${text} ${page}`, typed) && (words.length === 0 || words.some((word) => matchesWords(text, word)))
  );
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
