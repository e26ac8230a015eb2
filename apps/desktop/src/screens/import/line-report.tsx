import type { ReactNode } from "react";
import { Status, type StatusKind } from "../../components/status.tsx";
import { FullTime } from "../../components/time.tsx";
import { cronWords } from "../../data/cron-words.ts";
import { sentence } from "../../data/errors.ts";
import type { CrontabPlan, LineReport as Report } from "@belfry/crontab";
import { draftsOf, type JobDraft, keyOfDraft } from "./job-drafts.ts";

const outcomes: Readonly<Record<Report["outcome"], readonly [StatusKind, string]>> = {
  taken: ["success", "Import"],
  left_out: ["skipped", "Ignore"],
  refused: ["failure", "Refuse"],
  none: ["off", "None"],
};

/** What becomes of each line. */
export function LineReport({
  plan,
  text,
  nextTimes,
}: {
  readonly plan: CrontabPlan;
  readonly text: string;
  /** The next time of each draft, by its key; null for one without a time. */
  readonly nextTimes: ReadonlyMap<string, string | null> | null;
}): ReactNode {
  const written = text.split("\n");
  const jobs = draftsOf(plan);
  return (
    <ol aria-label="Lines of the crontab" className="flex flex-col">
      {plan.report
        .filter(({ outcome }) => outcome !== "none")
        .map((report) => (
          <Line
            key={report.line}
            report={report}
            written={written[report.line - 1] ?? ""}
            job={jobs.get(report.line) ?? null}
            nextTimes={nextTimes}
          />
        ))}
    </ol>
  );
}

interface LineProps {
  readonly report: Report;
  readonly written: string;
  readonly job: JobDraft | null;
  readonly nextTimes: ReadonlyMap<string, string | null> | null;
}

function Line({ report, written, job, nextTimes }: LineProps): ReactNode {
  const [kind, word] = outcomes[report.outcome];
  return (
    <li className="grid grid-cols-[32px_80px_minmax(0,1fr)] items-start gap-x-3 gap-y-0.5 border-b py-1.5">
      <span className="text-right text-muted">{report.line}</span>
      <Status kind={kind}>{word}</Status>
      <div className="flex min-w-0 flex-col gap-0.5">
        {job === null ? <p>{sentence(report.text)}</p> : <Job job={job} nextTimes={nextTimes} />}
        {report.warning !== null && <p className="text-attention">{sentence(report.warning)}</p>}
        <code className="truncate text-muted" title={written}>
          {written}
        </code>
      </div>
    </li>
  );
}

function Job({ job, nextTimes }: Pick<LineProps, "nextTimes"> & { readonly job: JobDraft }): ReactNode {
  const key = keyOfDraft(job);
  return (
    <p className="flex flex-wrap gap-x-3">
      <span className="font-medium">{job.name}</span>
      <span>
        {job.expression === null
          ? "when the machine starts"
          : (cronWords(job.expression) ?? <code>{job.expression}</code>)}
        {job.zone !== null && ` in ${job.zone}`}
        {job.user !== null && `, as ${job.user}`}
      </span>
      {nextTimes?.has(key) === true && (
        <span className="text-muted">
          {nextTimes.get(key) === null ? (
            "It never runs."
          ) : (
            <>
              next <FullTime at={nextTimes.get(key)!} />
            </>
          )}
        </span>
      )}
    </p>
  );
}
