/** The known names nearest to what was typed, best first; none that is too far to be a slip. */
export function similarNames(typed: string, known: Iterable<string>, max = 3): readonly string[] {
  const wanted = fold(typed);
  const scored = [...new Set(known)].map((name) => ({ name, distance: distanceOf(wanted, fold(name)) }));
  return scored
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, max)
    .map(({ name }) => name);
}

/** As the daemon compares names. */
export function fold(name: string): string {
  return name.trim().normalize("NFC").toLowerCase();
}

/** A part of a name is one step away; else the edits it takes, two neighbours swapped being one. */
function distanceOf(typed: string, known: string): number {
  if (typed.length >= 3 && known.includes(typed)) return 1;
  let before: number[] = [];
  let above = Array.from({ length: known.length + 1 }, (_, index) => index);
  for (let row = 1; row <= typed.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= known.length; column += 1) {
      const isSame = typed[row - 1] === known[column - 1];
      let best = Math.min(above[column]! + 1, line[column - 1]! + 1, above[column - 1]! + (isSame ? 0 : 1));
      const isSwap =
        row > 1 && column > 1 && typed[row - 1] === known[column - 2] && typed[row - 2] === known[column - 1];
      if (isSwap) best = Math.min(best, before[column - 2]! + 1);
      line.push(best);
    }
    before = above;
    above = line;
  }
  return above[known.length]!;
}
