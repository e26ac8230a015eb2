import type { Run } from "@belfry/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";
import { RunStatus } from "../../components/run-status.tsx";
import { Shown, SkeletonRows } from "../../components/states.tsx";
import { RunLink, TaskLink } from "../../components/task-link.tsx";
import { FullTime } from "../../components/time.tsx";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { Attempts, AttemptsPicture } from "./attempts.tsx";
import { Output } from "./output/output.tsx";
import { RunAct } from "./run-acts.tsx";
import { RunFacts } from "./run-facts.tsx";
import { lastAttempt, sentenceOf } from "./run-words.ts";

const route = getRouteApi("/runs/$runId");

/** One run: why it ended so, its attempts, and what it wrote. */
export function RunPage(): ReactNode {
  const { runId } = route.useParams();
  const { client } = useSession();
  const read = useRead(["run", runId], (signal) => client.runs.get(runId, { signal }), { kinds: ["run", "hold"] });
  const run = read.data;
  return (
    <Page
      title={run?.task_name ?? "Run"}
      above={
        run === null ? (
          <Link to="/tasks">Tasks</Link>
        ) : (
          <span className="flex gap-1">
            <span className="shrink-0">Run of</span>
            <TaskLink id={run.task_id} name={run.task_name} group={run.group_name} />
          </span>
        )
      }
      status={run !== null && <RunStatus run={run} />}
      act={run !== null && <RunAct key={run.id} run={run} />}
    >
      <Shown read={read} skeleton={<SkeletonRows rows={10} />} what="Looking at runs">
        {(found) => <Contents key={found.id} run={found} />}
      </Shown>
    </Page>
  );
}

function Contents({ run }: { readonly run: Run }): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const usual = useRead(
    ["task", "usual", run.task_id],
    async (signal) => (await client.tasks.get(run.task_id, { signal })).usual_duration_ms ?? null,
    { kinds: ["task"] },
  );
  const latest = lastAttempt(run);
  const asked = Number(search.attempt);
  const attempt = Number.isInteger(asked) && asked >= 1 ? asked : latest;
  return (
    <>
      <AttemptsPicture run={run} />
      <p className={run.outcome === "failure" ? "text-lead text-failure" : "text-lead"}>{sentenceOf(run)}</p>
      {run.waiting !== undefined && <Waiting wait={run.waiting} />}
      <RunFacts run={run} usualMs={usual.data} />
      <Attempts run={run} shown={attempt} />
      {attempt === null ? (
        <p className="text-muted">
          {run.state === "queued" ? "The run has not started yet, so there is no output." : "The run never started."}
        </p>
      ) : (
        <Output
          key={attempt}
          runId={run.id}
          attempt={attempt}
          isLive={run.ended_at === null}
          wroteBytes={attempt === latest ? run.output.stdout_bytes + run.output.stderr_bytes : 0}
          name={run.task_name}
        />
      )}
    </>
  );
}

/** What a queued run waits for: until when, and for which runs. */
function Waiting({ wait }: { readonly wait: NonNullable<Run["waiting"]> }): ReactNode {
  if (wait.until === null && wait.run_ids.length === 0) return null;
  return (
    <p className="text-muted">
      {wait.until !== null && (
        <>
          It waits until <FullTime at={wait.until} />.{" "}
        </>
      )}
      {wait.run_ids.length === 1 && (
        <span className="link">
          <RunLink id={wait.run_ids[0]!}>Show the run that it waits for</RunLink>
        </span>
      )}
      {wait.run_ids.length > 1 && (
        <>
          It waits for{" "}
          {wait.run_ids.map((id, index) => (
            <span key={id} className="link">
              {index > 0 && ", "}
              <RunLink id={id}>
                <code>{id}</code>
              </RunLink>
            </span>
          ))}
          .
        </>
      )}
    </p>
  );
}
