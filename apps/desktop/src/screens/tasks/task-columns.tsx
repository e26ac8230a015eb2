import type { Group, Hold, Task } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { OutcomeBars } from "../../components/outcome-bars.tsx";
import { Status } from "../../components/status.tsx";
import type { Column } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { describeError } from "../../data/errors.ts";
import { describeTask, type Readiness } from "../../data/readiness-words.ts";
import { count, formatDuration } from "../../data/words.ts";
import { groupPath } from "./group-path.ts";
import { describeGroup } from "./group-state.ts";
import type { GroupLine, RestLine, TreeLine } from "./tree-lines.ts";

export interface ColumnsOptions {
  readonly groups: readonly Group[];
  readonly holds: readonly Pick<Hold, "group_id">[];
  /** The groups of a task stand before its name, because they stand nowhere else. */
  readonly isFlat: boolean;
}

export function columnsOf({ groups, holds, isFlat }: ColumnsOptions): readonly Column<TreeLine>[] {
  return [
    {
      name: "Task",
      width: "2fr",
      cell: (line) => {
        if (line.is === "group") return <GroupName line={line} />;
        if (line.is === "rest") return <RestOfGroup line={line} />;
        const { id, name, group_id } = line.task;
        return (
          <Link to="/tasks/$taskId" params={{ taskId: id }} tabIndex={-1} data-task={id} title={name}>
            {isFlat && group_id !== null && <span className="text-muted">{groupPath(group_id, groups)} / </span>}
            {name}
          </Link>
        );
      },
    },
    {
      name: "State",
      width: "128px",
      cell: (line) => {
        const state = stateOf(line, groups, holds);
        if (state === null) return null;
        return (
          <Status kind={state.kind} title={state.text}>
            {state.word}
          </Status>
        );
      },
    },
    {
      name: "Last 20 runs",
      width: "104px",
      isWide: true,
      cell: ofTask(({ recent_outcomes }) => (
        <OutcomeBars outcomes={recent_outcomes.map(({ run_id, outcome }) => ({ id: run_id, outcome }))} />
      )),
    },
    {
      name: "Last",
      width: "88px",
      isNumber: true,
      cell: ofTask(({ last_run }) => <Time at={last_run?.ended_at ?? last_run?.started_at ?? null} />),
    },
    {
      name: "Next",
      width: "88px",
      isNumber: true,
      cell: ofTask(({ next_run_at }) => <Time at={next_run_at} />),
    },
    {
      name: "Usual",
      width: "72px",
      isNumber: true,
      isWide: true,
      cell: ofTask(({ usual_duration_ms }) => (usual_duration_ms === null ? "–" : formatDuration(usual_duration_ms))),
    },
  ];
}

const ofTask =
  (cell: (task: Task) => ReactNode) =>
  (line: TreeLine): ReactNode =>
    line.is === "task" ? cell(line.task) : null;

const gone = {
  kind: "off",
  word: "Gone",
  text: "It is not in this list any more. Its row is removed when you leave the list.",
} as const;

function stateOf(line: TreeLine, groups: readonly Group[], holds: readonly Pick<Hold, "group_id">[]): Readiness | null {
  if (line.isGone === true) return gone;
  if (line.is === "task") return describeTask(line.task);
  return line.is === "group" && line.group !== null ? describeGroup(line.group, groups, holds) : null;
}

function GroupName({
  line: { group, isUnfolded, isEmpty, tasks, subgroups },
}: {
  readonly line: GroupLine;
}): ReactNode {
  const inside = [
    tasks === null || (tasks.count === 0 && !isEmpty)
      ? null
      : `${count(tasks.count, "task")}${tasks.isAll ? "" : " or more"}`,
    subgroups === 0 ? null : count(subgroups, "subgroup"),
  ].filter((text) => text !== null);
  return (
    <span title={group?.name}>
      {/* the row itself says whether it is unfolded */}
      <span aria-hidden="true" className="inline-block w-4 text-muted">
        {isEmpty ? "" : isUnfolded ? "▾" : "▸"}
      </span>
      <span className="font-medium">{group === null ? "Tasks in no group" : group.name}</span>
      {inside.length > 0 && <span className="text-small text-muted">{`\u00a0 ${inside.join(", ")}`}</span>}
    </span>
  );
}

function RestOfGroup({ line: { rest } }: { readonly line: RestLine }): ReactNode {
  if (rest === null || rest.error === null)
    return (
      <span role="status" className="text-muted">
        Loading …
      </span>
    );
  return (
    <span className="flex items-center gap-2">
      <span className="truncate text-failure">{describeError(rest.error).text}</span>
      <Button look="quiet" onClick={rest.again}>
        Try again
      </Button>
    </span>
  );
}
