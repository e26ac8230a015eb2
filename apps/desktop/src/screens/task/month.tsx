import type { Schedule } from "@belfry/client";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { ListState } from "../../components/list-state.tsx";
import { PartProblem } from "../../components/part-problem.tsx";
import { useZone } from "../../data/preferences.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { count, formatClock } from "../../data/words.ts";
import { clockChangesOf } from "../../timeline/axis.ts";
import { type Counted, countIn, daysFrom } from "./month-days.ts";

/** A day names so many times, and counts more. */
const namedMax = 4;
const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** The coming four weeks, with the times of each day and the changes of clocks. */
export function Month({ schedules }: { readonly schedules: readonly Schedule[] }): ReactNode {
  const { client } = useSession();
  const zone = useZone();
  const [isOpen, setIsOpen] = useState(false);
  const days = daysFrom(Date.now(), zone, 35);
  const from = days[0]!.from;
  const until = days.at(-1)!.until;
  const taskId = schedules[0]!.task_id;
  const read = useRead(
    ["agenda", "month", taskId, from],
    async (signal) => {
      // one part for each day of a week whose clocks do not change
      const wide = { buckets: 7, task_ids: taskId };
      const iso = (at: number): string => new Date(at).toISOString();
      // each week is asked for alone, so that few days hold many times
      const weeks = Array.from({ length: 5 }, (_, week) => days.slice(week * 7, week * 7 + 7));
      const parts = await Promise.all(
        weeks.map((week) =>
          client.timeline.get({ ...wide, from: iso(week[0]!.from), until: iso(week.at(-1)!.until) }, { signal }),
        ),
      );
      return parts.map(({ rows }) => rows[0]?.future ?? null);
    },
    { kinds: ["schedule", "task", "group"], isWanted: isOpen },
  );
  // a day without times would say that nothing is scheduled
  const isUnread = read.data === null && read.error !== null;
  const changes = clockChangesOf({ from, until, width: 1 }, zone);
  const textOf = (index: number): string => {
    const future = read.data?.[Math.floor(index / 7)] ?? null;
    const day = days[index]!;
    if (future === null || day.isPast) return "";
    if (future.kind === "buckets") return describeCount(countIn(day, future.buckets.map(parsed)));
    const times = future.times.map(({ at }) => Date.parse(at)).filter((at) => at >= day.from && at < day.until);
    if (times.length > namedMax) return count(times.length, "time");
    return times.map((at) => formatClock(at, zone)).join(", ");
  };
  return (
    <div>
      <Button look="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? "▾" : "▸"} The coming month
      </Button>
      {isOpen && (isUnread ? <ListState read={read} empty="" /> : <PartProblem read={read} />)}
      {isOpen && !isUnread && (
        <div
          className="grid grid-cols-7 border-t border-l"
          role="group"
          aria-label="The coming month"
          aria-busy={read.data === null || undefined}
        >
          {weekdays.map((name) => (
            <div key={name} className="border-r border-b p-1 text-small text-muted">
              {name}
            </div>
          ))}
          {days.map((day, index) => {
            const text = textOf(index);
            const [number, month] = day.label.split(" ");
            // a narrow day has room for its number only
            const isNamed = number === "1";
            const change = changes.find(({ at }) => at >= day.from && at < day.until);
            return (
              <div key={day.from} className={classNames("min-h-16 border-r border-b p-1", day.isPast && "bg-surface")}>
                <div className="text-small text-muted">
                  {number} <span className={isNamed ? "" : "max-sm:sr-only"}>{month}</span>
                </div>
                {change !== undefined && <div className="text-small text-attention">{change.text}</div>}
                {read.data === null && !day.isPast && <div className="skeleton mt-1 h-3 w-2/3" />}
                {text !== "" && <div className="text-small">{text}</div>}
              </div>
            );
          })}
        </div>
      )}
    </div>
  );
}

function parsed(bucket: { readonly from: string; readonly until: string; readonly count: number }): Counted {
  return { ...bucket, from: Date.parse(bucket.from), until: Date.parse(bucket.until) };
}

function describeCount(counted: ReturnType<typeof countIn>): string {
  if (counted.count === 0) return "";
  return `${counted.isExact ? "" : "about "}${count(counted.count, "time")}`;
}
