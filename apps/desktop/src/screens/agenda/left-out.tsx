import type { Agenda, Group, Schedule } from "@belfry/client";
import type { ReactNode } from "react";
import { Section } from "../../components/page.tsx";
import { hasProblem, PartProblem } from "../../components/part-problem.tsx";
import { Rows } from "../../components/rows.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { TaskLink } from "../../components/task-link.tsx";
import { FullTime } from "../../components/time.tsx";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { groupPath } from "../tasks/group-path.ts";
import { closedGroupsOf } from "./closed-groups.ts";

export interface AgendaFilter {
  readonly task_id?: string;
  readonly group_id?: string;
}

const shownMax = 20;

interface LeftOutLine {
  readonly key: string;
  /** Null where it is about a whole group. */
  readonly task: { readonly id: string; readonly name: string } | null;
  readonly reason: ReactNode;
}

export interface LeftOutProps {
  readonly agenda: Agenda;
  readonly filter: AgendaFilter;
  readonly groups: readonly Group[];
}

/** Schedules that the agenda does not have, and why. There is nothing where it has all. */
export function LeftOut({ agenda, filter, groups }: LeftOutProps): ReactNode {
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
  const task = useRead(["tasks", "picked", filter.task_id], (signal) => client.tasks.get(filter.task_id!, { signal }), {
    kinds: ["task"],
    isWanted: filter.task_id !== undefined,
  });
  const off = new Set(disabled.data?.tasks.map(({ id }) => id));
  const closed = closedGroupsOf(groups, {
    groupId: filter.group_id,
    task: filter.task_id === undefined ? undefined : task.data,
  });
  const lines: readonly LeftOutLine[] = [
    ...closed.map(({ id }) => ({
      key: id,
      task: null,
      reason: `The group ${groupPath(id, groups)} is disabled: its schedules start nothing.`,
    })),
    ...agenda.unplanned.map(({ schedule_id, schedule_name, task_id, task_name, reason }) => ({
      key: `unplanned ${schedule_id}`,
      task: { id: task_id, name: task_name },
      reason: `Schedule ${schedule_name} has no times: ${reason}.`,
    })),
    ...(schedules.data?.schedules ?? []).flatMap((schedule): readonly LeftOutLine[] => {
      const reason = reasonOf(schedule, off.has(schedule.task_id));
      return reason === null
        ? []
        : [{ key: schedule.id, task: { id: schedule.task_id, name: schedule.task_name }, reason }];
    }),
  ];
  const steady = useSteadyRows(lines, { idOf, question: JSON.stringify(filter) });
  const failed = [schedules, disabled, task].find(hasProblem);
  if (steady.rows.length === 0 && failed === undefined) return null;
  return (
    <Section title="Not in this list">
      {failed !== undefined && <PartProblem read={failed} />}
      <Rows
        steady={steady}
        idOf={idOf}
        shownMax={shownMax}
        rest={(hidden) => `and ${hidden} more`}
        rowClassName="flex min-h-8 flex-wrap gap-x-4 border-b py-1.5"
      >
        {({ task: of, reason }) =>
          of === null ? (
            reason
          ) : (
            <>
              <TaskLink id={of.id} name={of.name} />
              <span className="text-muted">{reason}</span>
            </>
          )
        }
      </Rows>
    </Section>
  );
}

const idOf = ({ key }: LeftOutLine): string => key;

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
