import type { Group, Task } from "@belfry/client";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { useAddressText } from "../../app/address-text.ts";
import { withMember } from "../../app/search.ts";
import { useTaskRowKeys } from "../../app/task-row-keys.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { Page } from "../../components/page.tsx";
import { FirstUse, Shown, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { useChange } from "../../data/change.ts";
import { foldGroups } from "../../data/folded-groups.ts";
import { useGroups } from "../../data/groups.ts";
import { useGrant } from "../../data/grant.ts";
import { useHolds } from "../../data/holds.ts";
import { useSession } from "../../data/session.tsx";
import { useGroupActs } from "./group-acts.tsx";
import { inOrder } from "./group-path.ts";
import { useSteadyTree } from "./steady-tree.ts";
import { columnsOf } from "./task-columns.tsx";
import { TaskFilters } from "./task-filters.tsx";
import { pageMax, useTaskPages } from "./task-pages.ts";
import { GroupReaders, useTaskTree, useTreeWindow } from "./task-tree.tsx";
import { flatLinesOf, type TreeLine, ungrouped } from "./tree-lines.ts";

const route = getRouteApi("/tasks");

/** All tasks below their groups, or those that were searched for, with their newest outcomes and their next run. */
export function Tasks(): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/tasks" });
  const { may } = useGrant();
  const {
    text,
    setText,
    asked: q,
  } = useAddressText(
    search.text,
    (value) => void navigate({ search: (former) => withMember(former, "text", value), replace: true }),
  );
  const question = {
    ...(q === "" ? {} : { q }),
    ...(search.group === undefined ? {} : { group_id: search.group }),
    ...(search.label === undefined ? {} : { label: search.label }),
    ...(search.state === "enabled" || search.state === "disabled" ? { enabled: search.state === "enabled" } : {}),
    ...(search.state === "overdue" ? { overdue: true } : {}),
  };
  const isFiltered = Object.keys(question).length > 0;
  const isGroupAlone = search.group !== undefined && Object.keys(question).length === 1;
  const groups = useGroups();
  const holds = useHolds();
  const tree = useTaskTree({ groups: groups.data, isWanted: !isFiltered });
  const found = useTaskPages(question, isFiltered);
  const flatLines = useMemo(() => {
    if (found.data === null || groups.data === null) return null;
    return flatLinesOf(found.hasMore || found.data.length > pageMax ? found.data : inOrder(found.data, groups.data));
  }, [found.data, found.hasMore, groups.data]);
  const lines = isFiltered ? flatLines : tree.lines;
  const steady = useSteadyTree(lines ?? nothing, isFiltered ? found.question : "all");
  const inWindow = useTreeWindow(steady.rows);
  const read = isFiltered ? found : tree.whole;
  const [asked, setAsked] = useState<Task | null>(null);
  const run = useChange(
    ({ id }: Task) => client.tasks.run(id),
    ({ id }) => {
      setAsked(null);
      void navigate({ to: "/runs/$runId", params: { runId: id } });
    },
  );
  const groupActs = useGroupActs({
    chosen: search.group,
    groups: groups.data ?? [],
    choose: (id) => void navigate({ search: (former) => withMember(former, "group", id) }),
  });
  const columns = useMemo(
    () => columnsOf({ groups: groups.data ?? [], holds: holds.data ?? [], isFlat: isFiltered }),
    [groups.data, holds.data, isFiltered],
  );
  useTaskRowKeys((taskId) => {
    if (read.isFormer) return;
    const line = steady.rows.find(({ id }) => id === taskId);
    if (line?.is === "task") setAsked(line.task);
  });
  const open = (line: TreeLine): void => {
    if (line.is === "group") return line.isEmpty ? undefined : foldGroups([line.id], line.isUnfolded);
    if (line.is === "task") void navigate({ to: "/tasks/$taskId", params: { taskId: line.id } });
  };
  const actsOf = (line: TreeLine): ReactNode => {
    if (line.is === "group" && line.group !== null)
      return <MoreMenu of={line.group.name} acts={groupActs.actsOf(line.group)} />;
    if (line.is !== "task" || !may("operate")) return null;
    return (
      <Button
        look="quiet"
        aria-label={`Run ${line.task.name}`}
        disabled={line.task.readiness !== "ready" || line.isGone === true}
        onClick={() => setAsked(line.task)}
      >
        Run
      </Button>
    );
  };
  const isFirstUse = !isFiltered && tree.whole.data?.length === 0;
  const add = may("manage") && (
    <Button look="primary" onClick={() => void navigate({ to: "/tasks/new" })}>
      New task
    </Button>
  );
  return (
    <Page
      title="Tasks"
      act={isFirstUse ? null : add}
      more={
        <MoreMenu
          acts={[
            may("manage") ? { label: "Import a crontab", onSelect: () => void navigate({ to: "/import" }) } : null,
            ...groupActs.acts,
          ]}
        />
      }
      filters={
        <TaskFilters
          text={text}
          search={search}
          groups={groups.data ?? noGroups}
          onText={setText}
          onFilter={(member, value) => void navigate({ search: (former) => withMember(former, member, value) })}
        />
      }
    >
      {groupActs.view}
      {!isFiltered && tree.isInParts && (
        <GroupReaders groups={tree.lines === null ? [ungrouped] : inWindow.groups} report={tree.report} />
      )}
      <Shown read={{ ...read, data: lines === null ? null : steady.rows, error: read.error ?? groups.error }}>
        {(rows) => (
          <>
            {isFirstUse && !rows.some(({ isGone }) => isGone === true) && (
              <FirstUse title="No tasks yet" act={add} command="belfry task add hello --every 1m -- echo hello">
                A task is a command with schedules. Create one here, or import your crontab.
              </FirstUse>
            )}
            {isFiltered && rows.length === 0 && read.isFormer && <SkeletonRows />}
            {isFiltered && rows.length === 0 && !read.isFormer && (
              <p className="text-muted">
                {isGroupAlone ? "No task is directly in this group." : "No task matches these filters."}
              </p>
            )}
            {rows.length > 0 && (
              <Table
                label="Tasks"
                columns={columns}
                rows={rows}
                steady={steady}
                idOf={idOf}
                onOpen={open}
                acts={actsOf}
                isFormer={read.isFormer}
                {...(isFiltered ? { more: found } : { tree: treeRows, onWindow: inWindow.onWindow })}
              />
            )}
          </>
        )}
      </Shown>
      <ConfirmChange
        title={asked === null ? "Run the task now?" : `Run ${asked.name} now?`}
        act="Run"
        isDanger={false}
        subject={asked}
        change={run}
        onClose={() => setAsked(null)}
      >
        {() => <p>Belfry starts it now, besides its schedules.</p>}
      </ConfirmChange>
    </Page>
  );
}

const nothing: readonly TreeLine[] = [];
const noGroups: readonly Group[] = [];
const idOf = ({ id }: TreeLine): string => id;

const treeRows = {
  levelOf: ({ level }: TreeLine): number => level,
  isUnfolded: (line: TreeLine): boolean | undefined =>
    line.is === "group" && !line.isEmpty ? line.isUnfolded : undefined,
  fold: ({ id }: TreeLine, isFolded: boolean): void => foldGroups([id], isFolded),
  isHeading: ({ is }: TreeLine): boolean => is !== "task",
};
