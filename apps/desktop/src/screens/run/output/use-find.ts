import { useMemo, useState } from "react";
import { Finder, type Found } from "./finder.ts";
import type { LiveOutput } from "./use-output.ts";

export interface Find {
  readonly text: string;
  readonly found: readonly Found[];
  readonly current: Found | null;
  /** The place of the current one among all, from 0. */
  readonly at: number;
  readonly move: (step: 1 | -1) => Found | null;
}

/** Finds a text in the output, and goes from place to place. */
export function useFind(output: LiveOutput, text: string): Find {
  const { store } = output;
  const finder = useMemo(() => ({ of: store, finder: new Finder(text) }).finder, [store, text]);
  // the object is new whenever there are more lines
  const found = useMemo(() => ({ of: output, found: finder.search(output.store) }).found, [finder, output]);
  const [asked, setAsked] = useState<Found | null>(null);
  const at = asked === null ? 0 : found.findIndex((one) => one.line === asked.line && one.start === asked.start);
  const place = Math.max(0, at);
  const move = (step: 1 | -1): Found | null => {
    if (found.length === 0) return null;
    const next = found[(place + step + found.length) % found.length] ?? null;
    setAsked(next);
    return next;
  };
  return { text, found, current: found[place] ?? null, at: place, move };
}
