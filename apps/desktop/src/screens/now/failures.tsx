import type { ReactNode } from "react";
import { Section } from "../../components/page.tsx";
import { Status } from "../../components/status.tsx";
import { RunLink } from "../../components/task-link.tsx";
import { Time } from "../../components/time.tsx";
import { usePreferences } from "../../data/preferences.ts";
import { useRead } from "../../data/read.ts";
import { count } from "../../data/words.ts";
import { useSession } from "../../data/session.tsx";
import { ListState } from "../../components/list-state.tsx";

const dayMs = 86_400_000;
const shownMax = 8;

/** The tasks that failed since the last visit, and at least within a day, each with its newest failure. */
export function Failures(): ReactNode {
  const { client } = useSession();
  const { lastVisitAt } = usePreferences();
  // whole hours, so that the question stays the same for a while
  const since =
    Math.floor(Math.min(lastVisitAt ?? Number.POSITIVE_INFINITY, Date.now() - dayMs) / 3_600_000) * 3_600_000;
  const read = useRead(
    ["runs", "failed", since],
    (signal) => client.runs.list({ outcome: "failure", since: new Date(since).toISOString(), limit: 50 }, { signal }),
    { kinds: ["run"] },
  );
  const runs = read.data?.runs ?? [];
  const tasks = [...Map.groupBy(runs, ({ task_id }) => task_id).values()];
  const title = `Failed since ${lastVisitAt !== null && lastVisitAt < Date.now() - dayMs ? "your last visit" : "yesterday"}`;
  return (
    <Section
      title={read.data === null ? title : `${title} (${runs.length}${read.data.next_cursor === null ? "" : "+"})`}
    >
      {runs.length === 0 ? (
        <ListState read={read} empty="Nothing failed." />
      ) : (
        <ul className="flex flex-col">
          {tasks.slice(0, shownMax).map(([newest, ...older]) => {
            const { id, task_name, group_name, reason_text, ended_at } = newest!;
            return (
              <li key={id} className="flex h-8 items-center gap-3 border-b">
                <Status kind="failure">{older.length === 0 ? "Failed" : `Failed ${older.length + 1} times`}</Status>
                <RunLink id={id}>
                  {group_name !== null && <span className="text-muted">{group_name} / </span>}
                  {task_name}
                </RunLink>
                <span className="hidden min-w-0 flex-1 truncate text-muted sm:block">The run {reason_text}.</span>
                <span className="ml-auto">
                  <Time at={ended_at} />
                </span>
              </li>
            );
          })}
          {tasks.length > shownMax && (
            <li className="py-1 text-muted">and {count(tasks.length - shownMax, "more task")}</li>
          )}
        </ul>
      )}
    </Section>
  );
}
