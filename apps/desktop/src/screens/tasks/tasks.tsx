import type { Group, Task } from "@belfry/client";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { useAddressText } from "../../app/address-text.ts";
import { useKeys } from "../../app/keys.ts";
import { withMember } from "../../app/search.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmChange } from "../../components/confirm-change.tsx";
import { SelectField, TextField } from "../../components/fields.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { OutcomeBars } from "../../components/outcome-bars.tsx";
import { Page } from "../../components/page.tsx";
import { FirstUse, Shown } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useChange } from "../../data/change.ts";
import { useGrant } from "../../data/grant.ts";
import { useRead, useReadPages } from "../../data/read.ts";
import { describeTask } from "../../data/readiness-words.ts";
import { useSession } from "../../data/session.tsx";
import { formatDuration } from "../../data/words.ts";
import { useGroupActs } from "./group-acts.tsx";
import { groupPath, inOrder } from "./group-path.ts";

const route = getRouteApi("/tasks");
const pageMax = 100;

/** All tasks, with their newest outcomes and their next run. */
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
  const groups = useRead(["groups"], (signal) => allGroups(client, signal), { kinds: ["group"] });
  const question = {
    ...(q === "" ? {} : { q }),
    ...(search.group === undefined ? {} : { group_id: search.group }),
    ...(search.label === undefined ? {} : { label: search.label }),
    ...(search.state === "disabled" ? { enabled: false } : {}),
    ...(search.state === "overdue" ? { overdue: true } : {}),
  };
  const read = useReadPages(
    ["tasks", question],
    async (cursor, signal) => {
      const page = await client.tasks.list({ ...question, recent: 20, limit: pageMax, cursor }, { signal });
      return { items: page.tasks, next: page.next_cursor };
    },
    { kinds: ["task", "run", "schedule", "group", "hold"] },
  );
  const [asked, setAsked] = useState<Task | null>(null);
  const run = useChange(
    ({ id }: Task) => client.tasks.run(id),
    ({ id }) => void navigate({ to: "/runs/$runId", params: { runId: id } }),
  );
  const groupActs = useGroupActs({
    chosen: search.group,
    groups: groups.data ?? [],
    choose: (id) => void navigate({ search: (former) => withMember(former, "group", id) }),
  });
  const columns = useMemo(() => columnsOf(groups.data ?? []), [groups.data]);
  const byId = new Map(read.data?.map((task) => [task.id, task]));
  const pointed = (): Task | undefined =>
    byId.get(
      document.activeElement?.closest("[data-row]")?.querySelector("[data-task]")?.getAttribute("data-task") ?? "",
    );
  useKeys([
    { key: "r", text: "Run the task under the focus", act: () => may("operate") && setAsked(pointed() ?? null) },
    {
      key: "e",
      text: "Edit the task under the focus",
      act: () => {
        const task = pointed();
        if (task !== undefined && may("manage"))
          void navigate({ to: "/tasks/$taskId/edit", params: { taskId: task.id } });
      },
    },
  ]);
  const isFiltered = Object.keys(question).length > 0;
  const isGroupAlone = search.group !== undefined && Object.keys(question).length === 1;
  const add = may("manage") && (
    <Button look="primary" onClick={() => void navigate({ to: "/tasks/new" })}>
      New task
    </Button>
  );
  return (
    <Page
      title="Tasks"
      act={read.data?.length === 0 && !isFiltered ? null : add}
      more={
        <MoreMenu
          acts={[
            may("manage") ? { label: "Import a crontab", onSelect: () => void navigate({ to: "/import" }) } : null,
            ...groupActs.acts,
          ]}
        />
      }
      filters={
        <>
          <TextField
            label="Search tasks"
            isLabelHidden
            type="search"
            placeholder="Name of a task"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <SelectField
            label="Group"
            isLabelHidden
            value={search.group ?? ""}
            onChange={(event) => void navigate({ search: (former) => withMember(former, "group", event.target.value) })}
          >
            <option value="">All groups</option>
            {(groups.data ?? []).map((group) => (
              <option key={group.id} value={group.id}>
                {groupPath(group.id, groups.data ?? [])}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="State"
            isLabelHidden
            value={search.state ?? ""}
            onChange={(event) => void navigate({ search: (former) => withMember(former, "state", event.target.value) })}
          >
            <option value="">Any state</option>
            <option value="overdue">Overdue</option>
            <option value="disabled">Disabled</option>
          </SelectField>
        </>
      }
    >
      {groupActs.view}
      <Shown read={read}>
        {(tasks) =>
          tasks.length === 0 ? (
            isFiltered ? (
              <p className="text-muted">
                {isGroupAlone ? "No task is directly in this group." : "No task matches these filters."}
              </p>
            ) : (
              <FirstUse title="No tasks yet" act={add} command="belfry task add hello --every 1m -- echo hello">
                A task is a command with schedules. Create one here, or import your crontab.
              </FirstUse>
            )
          ) : (
            <Table
              label="Tasks"
              columns={columns}
              rows={read.hasMore || tasks.length > pageMax ? tasks : inOrder(tasks, groups.data ?? [])}
              idOf={idOf}
              more={read}
              onOpen={({ id }) => void navigate({ to: "/tasks/$taskId", params: { taskId: id } })}
              {...(may("operate")
                ? {
                    acts: (task: Task) => (
                      <Button
                        look="quiet"
                        aria-label={`Run ${task.name}`}
                        disabled={task.readiness !== "ready"}
                        onClick={() => setAsked(task)}
                      >
                        Run
                      </Button>
                    ),
                  }
                : {})}
            />
          )
        }
      </Shown>
      <ConfirmChange
        title="Run now?"
        act="Run"
        isDanger={false}
        subject={asked}
        change={run}
        onClose={() => setAsked(null)}
      >
        {({ name }) => (
          <p>
            Belfry starts <strong>{name}</strong> now, besides its schedules.
          </p>
        )}
      </ConfirmChange>
    </Page>
  );
}

const idOf = ({ id }: { readonly id: string }): string => id;

function columnsOf(groups: readonly Group[]): readonly Column<Task>[] {
  return [
    {
      name: "Task",
      width: "2fr",
      cell: ({ id, name, group_id }) => (
        <Link to="/tasks/$taskId" params={{ taskId: id }} tabIndex={-1} data-task={id} title={name}>
          {group_id !== null && <span className="text-muted">{groupPath(group_id, groups)} / </span>}
          {name}
        </Link>
      ),
    },
    {
      name: "State",
      width: "128px",
      cell: (task) => {
        const { kind, word, text } = describeTask(task);
        return (
          <Status kind={kind} title={text}>
            {word}
          </Status>
        );
      },
    },
    {
      name: "Last 20 runs",
      width: "104px",
      isWide: true,
      cell: ({ recent_outcomes }) => (
        <OutcomeBars outcomes={recent_outcomes.map(({ run_id, outcome }) => ({ id: run_id, outcome }))} />
      ),
    },
    {
      name: "Last",
      width: "88px",
      isNumber: true,
      cell: ({ last_run }) => <Time at={last_run?.ended_at ?? last_run?.started_at ?? null} />,
    },
    { name: "Next", width: "88px", isNumber: true, cell: ({ next_run_at }) => <Time at={next_run_at} /> },
    {
      name: "Usual",
      width: "72px",
      isNumber: true,
      isWide: true,
      cell: ({ usual_duration_ms }) => (usual_duration_ms === null ? "–" : formatDuration(usual_duration_ms)),
    },
  ];
}

async function allGroups(
  client: ReturnType<typeof useSession>["client"],
  signal: AbortSignal,
): Promise<readonly Group[]> {
  const groups: Group[] = [];
  for await (const group of client.groups.list({ limit: 500 }, { signal })) groups.push(group);
  return groups;
}
