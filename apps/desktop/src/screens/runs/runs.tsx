import type { Run } from "@belfry/client";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { withMember } from "../../app/search.ts";
import { Button } from "../../components/button.tsx";
import { SelectField } from "../../components/fields.tsx";
import { TaskChip } from "../../components/filter-chip.tsx";
import { List } from "../../components/list.tsx";
import { Page } from "../../components/page.tsx";
import { runDuration } from "../../components/run-duration.tsx";
import { RunStatus } from "../../components/run-status.tsx";
import { FirstUse } from "../../components/states.tsx";
import type { Column } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { sentence } from "../../data/errors.ts";
import { useReadPages } from "../../data/read.ts";
import { isBeforeRetry } from "../../data/run-words.ts";
import { useSession } from "../../data/session.tsx";
import { questionOf, stateFilters } from "./run-filters.ts";

const route = getRouteApi("/runs");

/** The history: every run, newest first. */
export function RunsPage(): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/runs" });
  const question = questionOf(search);
  const read = useReadPages(
    ["runs", "history", question],
    async (cursor, signal) => {
      const page = await client.runs.list({ ...question, limit: 100, cursor }, { signal });
      return { items: page.runs, next: page.next_cursor };
    },
    { kinds: ["run"] },
  );
  const set = (name: "state" | "task", value: string | undefined): void =>
    void navigate({ search: (former) => withMember(former, name, value) });
  const isFiltered = Object.keys(question).length > 0;
  return (
    <Page
      title="Runs"
      filters={
        <>
          <SelectField
            label="State"
            isLabelHidden
            value={stateFilters.some(([value]) => value === search.state) ? search.state : ""}
            onChange={(event) => set("state", event.target.value)}
          >
            <option value="">Any state</option>
            {stateFilters.map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </SelectField>
          {search.task !== undefined && (
            <TaskChip
              id={search.task}
              formerName={read.data?.find(({ task_id }) => task_id === search.task)?.task_name}
              onRemove={() => set("task", undefined)}
            />
          )}
        </>
      }
    >
      <List
        label="Runs"
        columns={columns}
        read={read}
        filtered={isFiltered ? "No run matches these filters." : null}
        empty={
          <FirstUse
            title="No runs yet"
            act={<Button onClick={() => void navigate({ to: "/tasks" })}>Tasks</Button>}
            command="belfry task run TASK"
          >
            Each run of a task appears here, with what started it, how it ended and how long it took.
          </FirstUse>
        }
        idOf={idOf}
        onOpen={({ id }) => void navigate({ to: "/runs/$runId", params: { runId: id } })}
      />
    </Page>
  );
}

const idOf = ({ id }: Run): string => id;

/** The page of a run names what it was. A name here would be a request for each row. */
const starters: Readonly<Record<Run["trigger"], string>> = {
  schedule: "Schedule",
  manual: "Somebody",
  external_trigger: "Trigger",
  completion: "Chain",
  filesystem_watcher: "Watcher",
};

/** The reason of a run that waits to retry is that of the attempt before. */
function resultOf(run: Run): string | null {
  if (run.reason_text === null) return null;
  return isBeforeRetry(run) ? `Attempt ${run.attempt - 1} ${run.reason_text}.` : sentence(run.reason_text);
}

const columns: readonly Column<Run>[] = [
  {
    name: "Task",
    width: "1.4fr",
    cell: ({ id, task_name, group_name }) => (
      <Link to="/runs/$runId" params={{ runId: id }} tabIndex={-1}>
        {group_name !== null && <span className="text-muted">{group_name} / </span>}
        {task_name}
      </Link>
    ),
  },
  { name: "State", width: "120px", cell: (run) => <RunStatus run={run} /> },
  { name: "Started by", width: "88px", cell: ({ trigger }) => starters[trigger] ?? trigger },
  { name: "Result", width: "1.4fr", cell: resultOf },
  { name: "Duration", width: "88px", isNumber: true, cell: runDuration },
  { name: "When", width: "88px", isNumber: true, cell: ({ queued_at }) => <Time at={queued_at} /> },
];
