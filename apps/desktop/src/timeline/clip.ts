import { runKind } from "../data/run-words.ts";
import type { TimelineRow } from "./rows.ts";

export interface View {
  readonly from: number;
  readonly until: number;
}

type Part = { readonly from: string; readonly until: string };

/** What of a row is in view. The daemon is asked for more, so that a drag shows what is there. */
export function clipRow(row: TimelineRow, view: View, now: number): TimelineRow {
  const { past, future } = row;
  const isPartIn = (part: Part): boolean => isPartOf(view, part);
  const runs = past.runs.filter(({ coalesced_from, scheduled_for, started_at, ended_at }) => {
    const begin = Math.min(
      ...[coalesced_from, started_at ?? scheduled_for].map((at) => (at === null ? now : Date.parse(at))),
    );
    return isIn(view, begin, ended_at === null ? Math.max(begin, now) : Date.parse(ended_at));
  });
  return {
    ...row,
    past: past.kind === "runs" ? { ...past, runs } : { ...past, runs, buckets: past.buckets.filter(isPartIn) },
    future:
      future.kind === "times"
        ? { ...future, times: future.times.filter(({ at }) => isIn(view, Date.parse(at), Date.parse(at))) }
        : { ...future, buckets: future.buckets.filter(isPartIn) },
  };
}

/** Whether a failure of the row is in view: the daemon looks for one in all that it was asked for. */
export function hasFailureIn({ past }: TimelineRow, view: View): boolean {
  const hasFailedRun = past.runs.some(
    ({ state, started_at, scheduled_for, ended_at }) =>
      runKind(state) === "failure" &&
      ended_at !== null &&
      isIn(view, Date.parse(started_at ?? scheduled_for), Date.parse(ended_at)),
  );
  if (hasFailedRun || past.kind === "runs") return hasFailedRun;
  return past.buckets.some((bucket) => runKind(bucket.worst) === "failure" && isPartOf(view, bucket));
}

function isIn({ from, until }: View, begin: number, end: number): boolean {
  return begin < until && end >= from;
}

function isPartOf(view: View, { from, until }: Part): boolean {
  return isIn(view, Date.parse(from), Date.parse(until) - 1);
}
