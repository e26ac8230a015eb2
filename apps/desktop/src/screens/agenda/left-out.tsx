import type { Agenda, Group, Schedule } from "@belfry/client";
import type { ReactNode } from "react";
import { Section } from "../../components/page.tsx";
import { TaskLink } from "../../components/task-link.tsx";
import { FullTime } from "../../components/time.tsx";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { count } from "../../data/words.ts";

export interface AgendaFilter {
  readonly task_id?: string;
  readonly group_id?: string;
}

const shownMax = 20;

interface LeftOutLine {
  readonly key: string;
  readonly taskId: string;
  readonly taskName: string;
  readonly reason: ReactNode;
}

/** Schedules that the agenda does not have, and why. There is nothing where it has all. */
export function LeftOut({
  agenda,
  filter,
  groups,
}: {
  readonly agenda: Agenda;
  readonly filter: AgendaFilter;
  readonly groups: readonly Group[];
}): ReactNode {
  const { client } = useSession();
  const schedules = useRead(
    ["schedules", "left out", filter],
    (signal) => client.schedules.list({ ...filter, limit: 1_000 }, { signal }),
    { kinds: ["schedule", "task"] },
  );
  const disabled = useRead(
    ["tasks", "disabled", filter.group_id],
    (signal) =>
      client.tasks.list(
        { enabled: false, limit: 1_000, ...(filter.group_id === undefined ? {} : { group_id: filter.group_id }) },
        { signal },
      ),
    { kinds: ["task", "group"] },
  );
  const off = new Set(disabled.data?.tasks.map(({ id }) => id));
  const found = (schedules.data?.schedules ?? []).flatMap((schedule): readonly LeftOutLine[] => {
    const reason = reasonOf(schedule, off.has(schedule.task_id));
    return reason === null
      ? []
      : [{ key: schedule.id, taskId: schedule.task_id, taskName: schedule.task_name, reason }];
  });
  const lines: readonly LeftOutLine[] = [
    ...agenda.unplanned.map(({ schedule_id, schedule_name, task_id, task_name, reason }) => ({
      key: `unplanned ${schedule_id}`,
      taskId: task_id,
      taskName: task_name,
      reason: `Schedule ${schedule_name} has no times: ${reason}.`,
    })),
    ...found,
  ];
  const closed = groups.filter(({ enabled }) => !enabled);
  if (lines.length === 0 && closed.length === 0) return null;
  return (
    <Section title="Not in this list">
      <ul className="flex flex-col">
        {closed.map(({ id, name }) => (
          <li key={id} className="min-h-8 border-b py-1.5">
            The group {name} is disabled: its schedules start nothing.
          </li>
        ))}
        {lines.slice(0, shownMax).map(({ key, taskId, taskName, reason }) => (
          <li key={key} className="flex min-h-8 flex-wrap gap-x-4 border-b py-1.5">
            <TaskLink id={taskId} name={taskName} />
            <span className="text-muted">{reason}</span>
          </li>
        ))}
        {lines.length > shownMax && (
          <li className="py-1.5 text-muted">and {count(lines.length - shownMax, "more schedule")}</li>
        )}
      </ul>
    </Section>
  );
}

function reasonOf(schedule: Schedule, isTaskOff: boolean): ReactNode {
  const { name, enabled, paused, paused_until, kind } = schedule;
  if (isTaskOff) return `The task is disabled, so schedule ${name} starts nothing.`;
  if (!enabled) return `Schedule ${name} is disabled.`;
  if (paused && paused_until === null) return `Schedule ${name} is paused until somebody resumes it.`;
  if (paused)
    return (
      <>
        Schedule {name} is paused until <FullTime at={paused_until} />.
      </>
    );
  if (kind === "boot") return `Schedule ${name} runs when the machine starts.`;
  return null;
}
