import type { Run, RunAttempt, RunAttemptList } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { classNames } from "../../components/class-names.ts";
import { Section } from "../../components/page.tsx";
import { Shown, SkeletonRows } from "../../components/states.tsx";
import { Status } from "../../components/status.tsx";
import { FullTime } from "../../components/time.tsx";
import { useKnownNow } from "../../data/now.ts";
import { type Read, useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { formatDuration } from "../../data/words.ts";
import { attemptKind, attemptText, pictureOf } from "./attempt-words.ts";
import type { Mark } from "../../timeline/marks.ts";
import { useOpenPage } from "../../timeline/open-page.ts";
import { Plot } from "../../timeline/plot.tsx";
import { lastAttempt } from "./run-words.ts";

export interface AttemptsProps {
  readonly run: Run;
  /** The attempt whose output is shown. */
  readonly shown: number | null;
}

function useAttempts(run: Run): Read<RunAttemptList> {
  const { client } = useSession();
  return useRead(["run", "attempts", run.id], (signal) => client.runs.attempts(run.id, { signal }), {
    kinds: ["run"],
    isWanted: lastAttempt(run) !== null,
  });
}

/** The attempts of a run over time, for the head of its page. What follows on the page says the same in words. */
export function AttemptsPicture({ run }: { readonly run: Run }): ReactNode {
  const openPage = useOpenPage();
  const now = useKnownNow();
  const attempts = useAttempts(run).data?.attempts ?? [];
  if (lastAttempt(run) === null) return null;
  const picture = pictureOf(run, attempts, now);
  // nothing jumps when the attempts are read
  if (picture === null) return <div className="h-15" />;
  const { row, from, until } = picture;
  const wordsOf = ({ what, describe }: Mark): string => {
    const attempt = what.is === "run" ? attempts.find(({ number }) => String(number) === what.id) : undefined;
    return attempt === undefined ? describe() : `Attempt ${attempt.number} ${attemptText(attempt)}`;
  };
  return (
    <div aria-hidden="true">
      <Plot
        lines={[{ is: "row", id: run.id, row, label: null }]}
        hasLabels={false}
        from={from}
        until={until}
        now={now}
        wordsOf={wordsOf}
        onOpen={({ what }, _row, inNewTab) => {
          if (what.is !== "run") return;
          const attempt = { to: "/runs/$runId", params: { runId: run.id }, search: { attempt: what.id } } as const;
          openPage({ ...attempt, resetScroll: false }, inNewTab);
        }}
      />
    </div>
  );
}

/** The attempts of a run one by one, where there is more than one. */
export function Attempts({ run, shown }: AttemptsProps): ReactNode {
  const begun = lastAttempt(run) ?? 0;
  const read = useAttempts(run);
  if (begun < 2) return null;
  return (
    <Section title={`Attempts (${begun} of ${Math.max(begun, run.attempts_max)})`}>
      <Shown read={read} skeleton={<SkeletonRows rows={begun} />}>
        {({ attempts }) => (
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
  const now = useKnownNow();
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
        resetScroll={false}
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
