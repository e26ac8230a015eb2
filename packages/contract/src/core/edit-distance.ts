/**
 * Counts the edits from one text to another: a character inserted, deleted or replaced, or two neighbours swapped. It
 * is our own, because `fastest-levenshtein` counts a swap as two edits: `lsit` would no longer suggest `list`.
 */
export function countEdits(from: string, to: string): number {
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      let best = Math.min(above[column]! + 1, line[column - 1]! + 1, above[column - 1]! + (isSame ? 0 : 1));
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwap) best = Math.min(best, before[column - 2]! + 1);
      line.push(best);
    }
    before = above;
    above = line;
  }
  return above[to.length]!;
}
