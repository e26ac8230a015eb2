/** Of one file: two words of its name's hash, two of its fingerprint. */
export const wordsPerFile = 4;

const nothing = new Uint32Array(0);

/**
 * The files of one directory as they were last handed to a run, or found by a baseline: 16 bytes each, sorted by the hash
 * of their names. A change makes a new array, because changes are few and files are many.
 */
export class KnownFiles {
  #words: Uint32Array;

  constructor(words: Uint32Array = nothing) {
    this.#words = words;
  }

  /** From words in any order; of two with the same name the later one counts. */
  static of(unsorted: Uint32Array): KnownFiles {
    return new KnownFiles(sortFiles(unsorted));
  }

  get words(): Uint32Array {
    return this.#words;
  }

  get count(): number {
    return this.#words.length / wordsPerFile;
  }

  /** Whether the file at `at` of `words` is known in exactly this state, in another one, or not at all. */
  compare(words: Uint32Array, at: number): "same" | "other" | "unknown" {
    const found = this.#find(words[at]!, words[at + 1]!);
    if (found < 0) return "unknown";
    const known = this.#words;
    return known[found + 2] === words[at + 2] && known[found + 3] === words[at + 3] ? "same" : "other";
  }

  set(unsorted: Uint32Array): void {
    if (unsorted.length > 0) this.#words = merge(this.#words, sortFiles(unsorted));
  }

  /** Forgets the names in `words`, whose fingerprints are not looked at. */
  forget(words: Uint32Array): void {
    if (words.length === 0) return;
    const gone = KnownFiles.of(words);
    this.#keep((at) => gone.#find(this.#words[at]!, this.#words[at + 1]!) < 0);
  }

  /** Forgets all that `present` does not name; returns what it forgot. */
  retain(present: KnownFiles): Uint32Array {
    const before = this.#words;
    return this.#keep((at) => present.#find(before[at]!, before[at + 1]!) >= 0);
  }

  /** Uses the same memory as an equal one. */
  shareWith(other: KnownFiles): boolean {
    if (!other.hasExactly(this.#words)) return false;
    this.#words = other.#words;
    return true;
  }

  hasExactly(words: Uint32Array): boolean {
    const own = this.#words;
    if (own.length !== words.length) return false;
    for (let at = 0; at < own.length; at++) if (own[at] !== words[at]) return false;
    return true;
  }

  /** How many are in both, in the same state. */
  countSame(other: KnownFiles): number {
    let count = 0;
    for (let at = 0; at < this.#words.length; at += wordsPerFile)
      if (other.compare(this.#words, at) === "same") count++;
    return count;
  }

  #keep(isKept: (at: number) => boolean): Uint32Array {
    const before = this.#words;
    const kept = new Uint32Array(before.length);
    const lost = new Uint32Array(before.length);
    let keptEnd = 0;
    let lostEnd = 0;
    for (let at = 0; at < before.length; at += wordsPerFile) {
      if (isKept(at)) keptEnd = copyFile({ from: before, at }, kept, keptEnd);
      else lostEnd = copyFile({ from: before, at }, lost, lostEnd);
    }
    if (lostEnd > 0) this.#words = kept.slice(0, keptEnd);
    return lost.slice(0, lostEnd);
  }

  #find(high: number, low: number): number {
    const words = this.#words;
    let from = 0;
    let until = words.length / wordsPerFile;
    while (from < until) {
      const middle = (from + until) >>> 1;
      const at = middle * wordsPerFile;
      const difference = words[at]! - high || words[at + 1]! - low;
      if (difference === 0) return at;
      if (difference < 0) from = middle + 1;
      else until = middle;
    }
    return -1;
  }
}

/** Always a new array, also of sorted files: the given one may be used again for others. */
function sortFiles(unsorted: Uint32Array): Uint32Array {
  if (isSorted(unsorted)) return unsorted.slice();
  const order = Uint32Array.from({ length: unsorted.length / wordsPerFile }, (_, index) => index * wordsPerFile);
  order.sort((a, b) => unsorted[a]! - unsorted[b]! || unsorted[a + 1]! - unsorted[b + 1]! || a - b);
  const sorted = new Uint32Array(unsorted.length);
  let end = 0;
  for (const at of order) {
    const isAgain = end > 0 && sorted[end - 4] === unsorted[at] && sorted[end - 3] === unsorted[at + 1];
    if (isAgain) end -= wordsPerFile;
    end = copyFile({ from: unsorted, at }, sorted, end);
  }
  return end === sorted.length ? sorted : sorted.slice(0, end);
}

function isSorted(words: Uint32Array): boolean {
  for (let at = wordsPerFile; at < words.length; at += wordsPerFile) {
    const difference = words[at]! - words[at - 4]! || words[at + 1]! - words[at - 3]!;
    if (difference <= 0) return false;
  }
  return true;
}

/** Two sorted arrays; of a name in both, the second counts. */
function merge(first: Uint32Array, second: Uint32Array): Uint32Array {
  if (first.length === 0) return second;
  const merged = new Uint32Array(first.length + second.length);
  let end = 0;
  let one = 0;
  let two = 0;
  while (one < first.length || two < second.length) {
    const difference =
      one >= first.length
        ? 1
        : two >= second.length
          ? -1
          : first[one]! - second[two]! || first[one + 1]! - second[two + 1]!;
    end =
      difference < 0
        ? copyFile({ from: first, at: one }, merged, end)
        : copyFile({ from: second, at: two }, merged, end);
    if (difference <= 0) one += wordsPerFile;
    if (difference >= 0) two += wordsPerFile;
  }
  return end === merged.length ? merged : merged.slice(0, end);
}

/** Returns the new end. */
function copyFile(
  { from, at }: { readonly from: Uint32Array; readonly at: number },
  into: Uint32Array,
  end: number,
): number {
  for (let word = 0; word < wordsPerFile; word++) into[end + word] = from[at + word]!;
  return end + wordsPerFile;
}
