import type { Run, RunAttempt } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { classNames } from "../../components/class-names.ts";
import { Section } from "../../components/page.tsx";
import { Shown, SkeletonRows } from "../../components/states.tsx";
import { Status, type StatusKind } from "../../components/status.tsx";
import { FullTime } from "../../components/time.tsx";
import { useNow } from "../../data/now.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { formatDuration } from "../../data/words.ts";
import { attemptKind, attemptText, barsOf } from "./attempt-words.ts";
import { lastAttempt } from "./run-words.ts";

export interface AttemptsProps {
  readonly run: Run;
  /** The attempt whose output is shown. */
  readonly shown: number | null;
}

/** The attempts of a run over time and one by one, where there is more than one. */
export function Attempts({ run, shown }: AttemptsProps): ReactNode {
  const { client } = useSession();
  const begun = lastAttempt(run) ?? 0;
  const read = useRead(["run", "attempts", run.id], (signal) => client.runs.attempts(run.id, { signal }), {
    kinds: ["run"],
    isWanted: begun > 1,
  });
  if (begun < 2) return null;
  return (
    <Section title={`Attempts (${begun} of ${Math.max(begun, run.attempts_max)})`}>
      <Shown read={read} skeleton={<SkeletonRows rows={begun} />}>
        {({ attempts }) => (
          <>
            <Picture attempts={attempts} run={run} />
            <ul className="flex flex-col">
              {attempts.map((attempt, index) => (
                <Row
                  key={attempt.number}
                  attempt={attempt}
                  run={run}
                  isLast={index === attempts.length - 1}
                  isShown={attempt.number === shown}
                />
              ))}
            </ul>
          </>
        )}
      </Shown>
    </Section>
  );
}

interface RowProps {
  readonly attempt: RunAttempt;
  readonly run: Run;
  readonly isLast: boolean;
  readonly isShown: boolean;
}

function Row({ attempt, run, isLast, isShown }: RowProps): ReactNode {
  const now = useNow();
  const { started_at: start, ended_at: end } = attempt;
  const length = start === null ? null : (end === null ? now : Date.parse(end)) - Date.parse(start);
  return (
    <li
      className={classNames(
        "flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1 border-b px-1 py-1",
        isShown && "bg-hover",
      )}
    >
      <Link
        to="/runs/$runId"
        params={{ runId: run.id }}
        search={{ attempt: String(attempt.number) }}
        aria-current={isShown || undefined}
        className={isShown ? "font-medium" : "link"}
      >
        Attempt {attempt.number}
      </Link>
      <Status kind={attemptKind(attempt, run, isLast)}>{attemptText(attempt)}</Status>
      <span className="ml-auto text-muted">
        <FullTime at={start ?? attempt.created_at} />
      </span>
      <span className="w-16 text-right">{length === null ? "–" : formatDuration(Math.max(0, length))}</span>
    </li>
  );
}

const looks: Partial<Record<StatusKind, string>> = {
  success: "bg-success",
  failure: "border border-failure",
  running: "border border-dashed border-running",
};

/** Bars over time. The rows below say the same. */
function Picture({ attempts, run }: { readonly attempts: readonly RunAttempt[]; readonly run: Run }): ReactNode {
  const now = useNow();
  return (
    <div aria-hidden="true" className="relative h-6 border-b">
      {barsOf(attempts, now).map(({ number, left, width }, index) => {
        const kind = attemptKind(attempts[index]!, run, index === attempts.length - 1);
        return (
          <span
            key={number}
            title={`Attempt ${number} ${attemptText(attempts[index]!)}`}
            className={classNames(
              "absolute top-1 flex h-4 items-center justify-center overflow-hidden rounded-sm text-small leading-none text-failure",
              looks[kind] ?? "border border-waiting",
            )}
            style={{ left: `min(${left}%, calc(100% - 10px))`, width: `${width}%`, minWidth: "10px" }}
          >
            {kind === "failure" && "✕"}
          </span>
        );
      })}
    </div>
  );
}
