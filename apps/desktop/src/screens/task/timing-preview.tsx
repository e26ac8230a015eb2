import type { ReactNode } from "react";
import { describeError } from "../../data/errors.ts";
import { useLate } from "../../data/late.ts";
import { useZone } from "../../data/preferences.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { formatTime } from "../../data/words.ts";
import { isComplete, type Timing, timingBody } from "./timing.ts";

const notes = {
  gap: "the clocks skip the local time, so the run comes after it",
  overlap_first: "the first of two equal local times",
  overlap_second: "the second of two equal local times",
} as const;

export interface TimingPreviewProps {
  readonly timing: Timing;
  /** The id of the schedule, while nothing of its timing is changed. */
  readonly unchanged?: string | null;
}

/** The next times of a schedule as it stands in the form. */
export function TimingPreview({ timing, unchanged = null }: TimingPreviewProps): ReactNode {
  const { client } = useSession();
  const zone = useZone();
  // a form has more than the times
  const { kind, expression, zone: ownZone, every, at } = useLate(timing, 250);
  const asked: Timing = { kind, expression, zone: ownZone, every, at };
  const isWanted = isComplete(asked) && asked.kind !== "boot";
  const read = useRead(
    ["preview", asked, unchanged],
    (signal) => {
      const what = unchanged === null ? { draft: timingBody(asked) } : { schedule_id: unchanged };
      return client.schedules.preview({ ...what, count: 5 }, { signal });
    },
    { kinds: [], isWanted, keepsFormer: true },
  );
  if (asked.kind === "boot") return <p className="min-h-8 text-muted">It runs at each boot.</p>;
  // as high as the times that come, so that they do not push what somebody is about to press out of a small window
  if (!isWanted) return <p className="min-h-32 text-muted">The next times appear here.</p>;
  if (read.error !== null)
    return (
      <p role="status" className="min-h-32 text-attention">
        {describeError(read.error).text}
      </p>
    );
  return (
    <div role="status" className="min-h-32">
      <p className="text-muted">Next times{read.data === null ? "" : ` (${read.data.time_zone})`}:</p>
      <ul>
        {read.data?.occurrences.map(({ instant, dst_note: note }) => (
          <li key={instant}>
            {formatTime(Date.parse(instant), zone)}
            {note !== null && <span className="text-attention"> – {notes[note]}</span>}
          </li>
        ))}
        {read.data?.occurrences.length === 0 && <li>never</li>}
      </ul>
    </div>
  );
}
