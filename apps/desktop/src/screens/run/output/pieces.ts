import type { Span, Style } from "./ansi.ts";

/** A part of a line that looks and behaves alike. */
export interface Piece {
  readonly text: string;
  readonly style: Style;
  readonly link: string | null;
  /** Whether it is a place that was searched for; `current` is the one that the search is at. */
  readonly found: "found" | "current" | null;
}

export interface Place {
  readonly start: number;
  readonly end: number;
  readonly isCurrent: boolean;
}

interface LinkPlace {
  readonly start: number;
  readonly end: number;
  readonly address: string;
}

const address = /https?:\/\/[^\s<>"'`\\^{|}]+/gi;

/** The addresses of the web in a text. Nothing else becomes a link. */
export function findLinks(text: string): readonly LinkPlace[] {
  return [...text.matchAll(address)].flatMap((match) => {
    // a mark at the end belongs to the sentence around it
    const found = trimEnd(match[0]);
    const url = URL.parse(found);
    return url === null ? [] : [{ start: match.index, end: match.index + found.length, address: url.href }];
  });
}

function trimEnd(text: string): string {
  const trimmed = text.replace(/[.,;:!?]+$/, "");
  const isOpened = trimmed.includes("(");
  return trimmed.endsWith(")") && !isOpened ? trimEnd(trimmed.slice(0, -1)) : trimmed.replace(/\]+$/, "");
}

/** Cuts a line wherever its style, a link or a found place begins or ends. */
export function piecesOf(spans: readonly Span[], found: readonly Place[]): readonly Piece[] {
  const links = findLinks(spans.map(({ text }) => text).join(""));
  const cuts = [...links, ...found].flatMap(({ start, end }) => [start, end]).toSorted((one, other) => one - other);
  const pieces: Piece[] = [];
  let start = 0;
  for (const { text, style } of spans) {
    const end = start + text.length;
    let at = start;
    for (const cut of [...cuts.filter((one) => one > start && one < end), end]) {
      if (cut === at) continue;
      const place = found.find((one) => one.start <= at && at < one.end);
      pieces.push({
        text: text.slice(at - start, cut - start),
        style,
        link: links.find((one) => one.start <= at && at < one.end)?.address ?? null,
        found: place === undefined ? null : place.isCurrent ? "current" : "found",
      });
      at = cut;
    }
    start = end;
  }
  return pieces;
}
