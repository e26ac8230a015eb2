import type { Run } from "@belfry/client";
import { limits } from "@belfry/contract";
import { argument } from "../../arguments.ts";
import { outputStreams } from "../../choices.ts";
import { defineCommand } from "../../command.ts";
import { usage } from "../../failure.ts";
import { isLive } from "../../find/run.ts";
import { readTime } from "../../input/time.ts";
import { formatBytes } from "../../output/time.ts";
import { flag, integer, oneOf, text, type ValuesOf } from "../../options.ts";
import type { Output } from "../../output/output.ts";
import { chooseRun } from "../../runs/choose-run.ts";
import { copyOutput } from "../../runs/copy-output.ts";
import { followOutput } from "../../runs/follow-output.ts";
import { unstartedSentence, waitingSentence } from "../../views/run.ts";
import { withoutUndefined } from "../../without-undefined.ts";

const streamOptions = {
  stdout: flag("--stdout", "print only the standard output"),
  stderr: flag("--stderr", "print only the standard error"),
  stream: oneOf("--stream <stream>", "output to print", { choices: outputStreams, byDefault: "both" }),
} as const;

export const command = defineCommand({
  arguments: [
    { ...argument.run, summary: "run id; or a task, for its newest run (default: the newest run)", isOptional: true },
  ],
  options: {
    follow: flag("-f, --follow", "also print new output until the run has finished"),
    failed: flag("--failed", "print the output of the newest run that failed"),
    tail: integer("-n, --tail <n>", "print only the last lines", { min: 0, max: limits.outputTailMax }),
    since: text("--since <time>", "print only the output since this time, for example 2h or 03:00"),
    timestamps: flag("-t, --timestamps", "print the time of each line before it"),
    ...streamOptions,
    attempt: integer("--attempt <n>", "print the output of this attempt (default: the last)", {
      min: 1,
      max: limits.retryAttemptsMax,
    }),
  },
  details:
    "The standard output of the run is printed to standard output, and its standard error to standard error, in the order in which Belfry read them. With --timestamps, a line without a recorded time begins with a dash.",
  examples: [
    ["belfry run logs --failed --tail 20", "print the last lines of the newest run that failed"],
    ['belfry run logs "Nightly backup"', "print the output of the newest run of a task"],
    ['belfry run logs -f "Nightly backup"', "print the output and follow it"],
    ['belfry run logs "Nightly backup" --since 10m --timestamps', "print the output of the last ten minutes"],
    ["belfry run logs run_4fzH1TqWb8YkV0c2LxNd --stderr 2> errors.txt", "save the standard error of a run to a file"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const stream = chooseStream(options);
    const { attempt, tail, follow = false, failed = false, timestamps = false } = options;
    const nowMs = host.now();
    const since =
      options.since === undefined
        ? undefined
        : readTime(options.since, { nowMs, direction: "past", option: "--since" });
    if (since !== undefined && Date.parse(since) > nowMs)
      throw usage(
        `--since ${JSON.stringify(options.since)} is in the future, so there is no output yet. Use a time in the past`,
      );
    const client = await connect();
    const run = await chooseRun(client, typed, { isFailed: failed, nowMs, out });
    const selection = { stream, timestamps, out, ...withoutUndefined({ tail, since }) };
    if (run.attempt > 1 && attempt === undefined && !follow && !isLive(run)) out.note(attemptNote(run));
    let isAny = true;
    if (follow && attempt === undefined) await followOutput(client, run, selection);
    else isAny = await copyOutput(client, run.id, { ...selection, follow, ...withoutUndefined({ attempt }) });
    if (attempt !== undefined && attempt !== run.attempt) return;
    noteMissingOutput(follow || run.state === "queued" ? await client.runs.get(run.id) : run, out);
    if (!isAny && since === undefined && tail !== 0) noteLostOutput(run, stream, out);
  },
});

/** A run without a program has no output, which would look as if the program had printed nothing. */
function noteMissingOutput(run: Run, out: Output): void {
  const why = run.state === "queued" && run.attempt === 0 ? waitingSentence(run) : unstartedSentence(run);
  if (why !== null) out.note(why);
}

/** The run says what it wrote, and its files are not there. */
function noteLostOutput(run: Run, stream: (typeof outputStreams)[number], out: Output): void {
  const { output } = run;
  const wrote = (stream === "stderr" ? 0 : output.stdout_bytes) + (stream === "stdout" ? 0 : output.stderr_bytes);
  if (isLive(run) || wrote === 0) return;
  const why = "The data comes from a backup without output, or the files were removed";
  out.note(`The run wrote ${formatBytes(wrote)}, which Belfry does not have any more. ${why}`);
}

/** The attempts before the last one often say why there was a retry. */
function attemptNote({ id, attempt }: Run): string {
  const others = attempt === 2 ? "attempt 1" : `attempts 1 to ${attempt - 1}`;
  return `This is attempt ${attempt}. For ${others}, use: belfry run logs ${id} --attempt <n>`;
}

function chooseStream({ stdout, stderr, stream }: ValuesOf<typeof streamOptions>): (typeof outputStreams)[number] {
  const given = Object.entries({ stdout, stderr, stream }).filter(([, value]) => value !== undefined);
  if (given.length > 1)
    throw usage(`${given.map(([name]) => `--${name}`).join(" and ")} cannot be combined. Use one of them`);
  return stdout === true ? "stdout" : stderr === true ? "stderr" : (stream ?? "both");
}
