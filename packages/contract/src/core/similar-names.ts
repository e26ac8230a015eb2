import { countEdits } from "./edit-distance.ts";

/** A longer text is not a misspelled name, and takes long to compare. */
const comparedMax = 200;

/** Lists the known names nearest to the written one, best first, without those that are too far to be a misspelling. */
export function similarNames(written: string, known: Iterable<string>, max = 3): readonly string[] {
  const wanted = foldName(written.slice(0, comparedMax));
  const scored = [...new Set(known)].map((name) => ({ name, distance: distanceOf(wanted, foldName(name)) }));
  return scored
    .filter(({ name, distance }) => distance <= editsMax(wanted, name))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, max)
    .map(({ name }) => name);
}

/** The edits that leave most of the name. Of two characters, a single one leaves too little to be the same name. */
function editsMax(written: string, name: string): number {
  return Math.max(written.length, name.length) <= 2 ? 0 : Math.max(1, Math.floor(name.length / 3));
}

/** Returns the form in which the daemon compares names. */
export function foldName(name: string): string {
  return name.trim().normalize("NFC").toLowerCase();
}

/** Counts the edits between two names. A part of a name counts as one edit away. */
function distanceOf(written: string, known: string): number {
  return written.length >= 3 && known.includes(written) ? 1 : countEdits(written, known);
}
