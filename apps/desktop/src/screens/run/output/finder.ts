import { textOf } from "./ansi.ts";
import type { LineStore } from "./line-store.ts";

/** Where a text was found: the number of the line, and the place in its text without escape sequences. */
export interface Found {
  readonly line: number;
  readonly start: number;
}

/** More places are not looked for. */
export const foundMax = 10_000;

/** Finds a text in lines, whatever its case. It goes on where it was when lines were added. */
export class Finder {
  readonly #needle: string;
  #found: Found[] = [];
  /** Lines below this number were searched, and will not change. */
  #searchedTo = 1;

  constructor(text: string) {
    this.#needle = text.toLowerCase();
  }

  get length(): number {
    return this.#needle.length;
  }

  search(store: LineStore): readonly Found[] {
    if (this.#needle === "") return [];
    const first = store.rows.find((row) => row.is === "line");
    const oldest = first?.is === "line" ? first.number : 1;
    const from = Math.max(oldest, this.#searchedTo);
    // what is no longer kept cannot be shown, and open lines are searched again
    const found = this.#found.filter(({ line }) => line >= oldest && line < from);
    let searchedTo: number | null = null;
    for (let place = store.placeOf(from) ?? store.rows.length; place < store.rows.length; place++) {
      const row = store.rows[place]!;
      if (row.is !== "line") continue;
      if (row.isOpen) searchedTo ??= row.number;
      for (const start of placesOf(textOf(row.text), this.#needle))
        if (found.length < foundMax) found.push({ line: row.number, start });
    }
    this.#searchedTo = searchedTo ?? store.lineCount + 1;
    this.#found = found;
    return found;
  }
}

/** Every place of a text in a line. `needle` is in lower case. */
export function placesOf(line: string, needle: string): readonly number[] {
  const lower = line.toLowerCase();
  // a character that becomes longer in lower case would move all places after it
  const text = lower.length === line.length ? lower : line;
  const places: number[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) places.push(at);
  return places;
}
