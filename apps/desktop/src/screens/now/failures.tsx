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
  const { client, profile } = useSession();
  const lastVisitAt = usePreferences().lastVisits[profile] ?? null;
  // whole hours, so that the question stays the same for a while
  const since =
    Math.floor(Math.min(lastVisitAt ?? Number.POSITIVE_INFINITY, Date.now() - dayMs) / 3_600_000) * 3_600_000;
  const read = useRead(
    ["runs", "failures", since],
    (signal) => client.runs.failures({ since: new Date(since).toISOString(), limit: shownMax }, { signal }),
    { kinds: ["run"] },
  );
  const tasks = read.data?.tasks ?? [];
  const more = (read.data?.task_count ?? 0) - tasks.length;
  const title = `Failed since ${lastVisitAt !== null && lastVisitAt < Date.now() - dayMs ? "your last visit" : "yesterday"}`;
  return (
    <Section title={read.data === null ? title : `${title} (${read.data.task_count})`}>
      {tasks.length === 0 ? (
        <ListState read={read} empty="Nothing failed." />
      ) : (
        <ul className="flex flex-col">
          {tasks.map(({ task_id, failures, last, has_recovered }) => (
            <li key={task_id} className="flex h-8 items-center gap-3 border-b">
              <Status kind="failure">{failures === 1 ? "Failed" : `Failed ${failures} times`}</Status>
              <RunLink id={last.id}>
                {last.group_name !== null && <span className="text-muted">{last.group_name} / </span>}
                {last.task_name}
              </RunLink>
              <span className="hidden min-w-0 flex-1 truncate text-muted sm:block">
                The run {last.reason_text}.{has_recovered === true && " It has succeeded since."}
              </span>
              <span className="ml-auto">
                <Time at={last.ended_at} />
              </span>
            </li>
          ))}
          {more > 0 && <li className="py-1 text-muted">and {count(more, "more task")}</li>}
        </ul>
      )}
    </Section>
  );
}
