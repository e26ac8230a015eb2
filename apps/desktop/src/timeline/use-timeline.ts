import { type Client, eventKindsOf, type Timeline } from "@belfry/client";
import { useState } from "react";
import { type Read, useIsFirstRead, useRead } from "../data/read.ts";
import { useSession } from "../data/session.tsx";
import { rowHeight } from "./shapes.ts";

type Question = Parameters<Client["timeline"]["get"]>[0];

export interface TimelineRead extends Read<Timeline> {
  /** The first rows of many are shown, and the others are still to come. */
  readonly isBegun: boolean;
}

export const rowsMax = 200;
/** The answer for 200 busy rows takes more than 1 MB of memory, and each move of the picture asks for another. */
const keptMs = 60_000;

/**
 * Reads a timeline: at first as many rows as a window shows, because those of many busy tasks take four times as long. If there
 * are more, all of them follow once the other parts of the page are there, and from then on they are read together.
 */
export function useTimeline(question: Omit<Question, "limit">): TimelineRead {
  const [isLong, setLong] = useState(false);
  // asked once: another size of the window is no other question
  const [firstRows] = useState(rowsInWindow);
  const begin = useRows({ ...question, limit: firstRows }, !isLong);
  const whole = useRows({ ...question, limit: rowsMax }, isLong);
  const isReadingOthers = useIsFirstRead();
  const hasMore = begin.data !== null && begin.data.next_cursor !== null;
  if (!isLong && hasMore && !isReadingOthers) setLong(true);
  if (!isLong) return { ...begin, isBegun: hasMore };
  if (whole.data !== null) return { ...whole, isBegun: false };
  const { error, isReading, again } = whole;
  return { ...begin, error, isReading, again, isBegun: true };
}

/** A window that is not shown yet has no height. */
const rowsMin = 20;

function rowsInWindow(): number {
  return Math.min(rowsMax, Math.max(rowsMin, Math.ceil(window.innerHeight / rowHeight)));
}

function useRows(question: Question, isWanted: boolean): Read<Timeline> {
  const { client } = useSession();
  return useRead(["timeline", question], (signal) => client.timeline.get(question, { signal }), {
    kinds: eventKindsOf("tasks"),
    keepsFormer: true,
    keptMs,
    isWanted,
  });
}
