import type { TimelineRow } from "./rows.ts";

export interface View {
  readonly from: number;
  readonly until: number;
}

/** What of a row is in view. The daemon is asked for more, so that a drag shows what is there. */
export function clipRow(row: TimelineRow, { from, until }: View, now: number): TimelineRow {
  const { past, future } = row;
  const isIn = (begin: number, end: number): boolean => begin < until && end >= from;
  const isPartIn = (part: { readonly from: string; readonly until: string }): boolean =>
    isIn(Date.parse(part.from), Date.parse(part.until) - 1);
  const runs = past.runs.filter(({ coalesced_from, scheduled_for, started_at, ended_at }) => {
    const begin = Math.min(
      ...[coalesced_from, started_at ?? scheduled_for].map((at) => (at === null ? now : Date.parse(at))),
    );
    return isIn(begin, ended_at === null ? Math.max(begin, now) : Date.parse(ended_at));
  });
  return {
    ...row,
    past: past.kind === "runs" ? { ...past, runs } : { ...past, runs, buckets: past.buckets.filter(isPartIn) },
    future:
      future.kind === "times"
        ? { ...future, times: future.times.filter(({ at }) => isIn(Date.parse(at), Date.parse(at))) }
        : { ...future, buckets: future.buckets.filter(isPartIn) },
  };
}
