import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ListState } from "../../components/list-state.tsx";
import { Section } from "../../components/page.tsx";
import { Rows } from "../../components/rows.tsx";
import { Status } from "../../components/status.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { RunLink } from "../../components/task-link.tsx";
import { Time } from "../../components/time.tsx";
import { useRead } from "../../data/read.ts";
import { count } from "../../data/words.ts";
import { useSession } from "../../data/session.tsx";
import { lastVisit } from "../../data/visits.ts";

const dayMs = 86_400_000;
const shownMax = 8;
const idOf = ({ task_id }: { readonly task_id: string }): string => task_id;

/** The tasks that failed since the last visit, and at least within a day, each with its newest failure. */
export function Failures(): ReactNode {
  const { client, profile } = useSession();
  const lastVisitAt = lastVisit(profile);
  // whole hours, so that the question stays the same for a while
  const since =
    Math.floor(Math.min(lastVisitAt ?? Number.POSITIVE_INFINITY, Date.now() - dayMs) / 3_600_000) * 3_600_000;
  const read = useRead(
    ["runs", "failures", since],
    (signal) => client.runs.failures({ since: new Date(since).toISOString(), limit: shownMax }, { signal }),
    { kinds: ["run"] },
  );
  const failed = read.data?.tasks ?? null;
  const more = (read.data?.task_count ?? 0) - (failed?.length ?? 0);
  const steady = useSteadyRows(failed, { idOf, question: String(since), isCut: more > 0 });
  const title = `Failed since ${lastVisitAt !== null && lastVisitAt < Date.now() - dayMs ? "your last visit" : "yesterday"}`;
  return (
    <Section title={read.data === null ? title : `${title} (${read.data.task_count})`}>
      <Rows
        steady={steady}
        idOf={idOf}
        empty={<ListState read={read} empty="Nothing failed." />}
        taskOf={idOf}
        rowClassName="flex min-h-8 items-center gap-x-3 border-b max-sm:flex-wrap max-sm:py-1"
      >
        {({ failures, last, has_recovered }, isGone) => (
          <>
            {isGone ? (
              <Status kind="off">Gone</Status>
            ) : (
              <Status kind="failure">{failures === 1 ? "Failed" : `Failed ${failures} times`}</Status>
            )}
            {/* in a narrow window, the name has a line of its own */}
            <span className="flex min-w-0 max-sm:order-last max-sm:w-full">
              <RunLink id={last.id}>
                {last.group_name !== null && <span className="text-muted">{last.group_name} / </span>}
                {last.task_name}
              </RunLink>
            </span>
            <span className="hidden min-w-0 flex-1 truncate text-muted sm:block">
              The run {last.reason_text}.{has_recovered === true && " It has succeeded since."}
            </span>
            <span className="ml-auto">
              <Time at={last.ended_at} />
            </span>
          </>
        )}
      </Rows>
      {more > 0 && (
        <p>
          <Link to="/runs" search={{ state: "failed" }} className="link">
            and {count(more, "more task")}
          </Link>
        </p>
      )}
    </Section>
  );
}
