import { type ReactNode, type Ref, useMemo } from "react";
import { Status, type StatusKind } from "../../components/status.tsx";
import { FullTime } from "../../components/time.tsx";
import { useWindowRows } from "../../components/window-rows.ts";
import { cronWords } from "../../data/cron-words.ts";
import { sentence } from "../../data/errors.ts";
import type { CrontabPlan, LineReport as Report } from "@belfry/crontab";
import { draftsOf, type JobDraft } from "./job-drafts.ts";
import { useNextTime } from "./use-next-time.ts";

const outcomes: Readonly<Record<Report["outcome"], readonly [StatusKind, string]>> = {
  taken: ["success", "Import"],
  left_out: ["skipped", "Ignore"],
  refused: ["failure", "Refuse"],
  none: ["off", "None"],
};

/** What a line probably needs, until it is measured. */
const lineHeight = 50;

/** What the import does with each line. Only the visible lines are drawn. */
export function LineReport({ plan, text }: { readonly plan: CrontabPlan; readonly text: string }): ReactNode {
  const written = useMemo(() => text.split("\n"), [text]);
  const jobs = useMemo(() => draftsOf(plan), [plan]);
  const reports = useMemo(() => plan.report.filter(({ outcome }) => outcome !== "none"), [plan]);
  const shown = useWindowRows({
    count: reports.length,
    height: lineHeight,
    overscan: 8,
    keyOf: (index) => String(reports[index]!.line),
  });
  return (
    <div ref={shown.list} className="relative" style={{ height: shown.height }}>
      <ol aria-label="Lines of the crontab">
        {shown.rows.map(({ key, index, y }) => {
          const report = reports[index]!;
          return (
            <Line
              key={key}
              ref={shown.virtual.measureElement}
              report={report}
              written={written[report.line - 1] ?? ""}
              job={jobs.get(report.line) ?? null}
              place={{ index, of: reports.length, y }}
            />
          );
        })}
      </ol>
    </div>
  );
}

interface LineProps {
  readonly ref: Ref<HTMLLIElement>;
  readonly report: Report;
  readonly written: string;
  readonly job: JobDraft | null;
  readonly place: { readonly index: number; readonly of: number; readonly y: number };
}

function Line({ ref, report, written, job, place }: LineProps): ReactNode {
  const [kind, word] = outcomes[report.outcome];
  return (
    <li
      ref={ref}
      data-row={place.index}
      aria-posinset={place.index + 1}
      aria-setsize={place.of}
      className="absolute inset-x-0 grid grid-cols-[32px_80px_minmax(0,1fr)] items-start gap-x-3 gap-y-0.5 border-b py-1.5"
      style={{ transform: `translateY(${place.y}px)` }}
    >
      <span className="text-right text-muted">{report.line}</span>
      <Status kind={kind}>{word}</Status>
      <div className="flex min-w-0 flex-col gap-0.5">
        {job === null ? <p>{sentence(report.text)}</p> : <Job job={job} />}
        {report.warning !== null && <p className="text-attention">{sentence(report.warning)}</p>}
        <code className="truncate text-muted" title={written}>
          {written}
        </code>
      </div>
    </li>
  );
}

function Job({ job }: { readonly job: JobDraft }): ReactNode {
  const next = useNextTime(job);
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
      {next !== undefined && (
        <span className="text-muted">
          {next === null ? (
            "It never runs."
          ) : (
            <>
              next <FullTime at={next} />
            </>
          )}
        </span>
      )}
    </p>
  );
}
