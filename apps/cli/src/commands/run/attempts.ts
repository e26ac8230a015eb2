import type { RunAttempt } from "@belfry/client";
import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findRun } from "../../find/run.ts";
import type { Paint } from "../../output/paint.ts";
import type { Column } from "../../output/table.ts";
import { formatBytes, formatElapsed } from "../../output/time.ts";

export const command = defineCommand({
  arguments: [argument.run],
  examples: [
    ['belfry run attempts "Nightly backup"', "list the attempts of the newest run of a task"],
    ["belfry run attempts run_4fzH1TqWb8YkV0c2LxNd --json", "print them as JSON"],
  ],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const run = await findRun(client, typed);
    const answer = await client.runs.attempts(run.id);
    if (answer.attempts.length === 0 && !out.json) return out.note("No attempt has begun yet");
    out.answer(answer, () => out.table(columns, answer.attempts));
  },
});

const columns: readonly Column<RunAttempt>[] = [
  { title: "ATTEMPT", text: ({ number }) => String(number), isNumber: true },
  { title: "STARTED", text: ({ started_at, created_at }) => started_at ?? created_at, isTime: true },
  { title: "DURATION", text: (attempt) => formatElapsed(durationOf(attempt)), isNumber: true },
  { title: "RESULT", text: resultOf, color: paintOf },
  { title: "STDOUT", text: ({ output }) => formatBytes(output.stdout_bytes), isNumber: true },
  { title: "STDERR", text: ({ output }) => formatBytes(output.stderr_bytes), isNumber: true },
];

function durationOf({ started_at: start, ended_at: end }: RunAttempt): number | null {
  return start === null || end === null ? null : Math.max(0, Date.parse(end) - Date.parse(start));
}

function resultOf({ reason, exit_code: code, signal, started_at: start, ended_at: end }: RunAttempt): string {
  if (end === null) return start === null ? "starting" : "running";
  if (reason === "exit_code") return signal ?? `exit ${code}`;
  if (reason === "signal") return signal ?? "signal";
  return reason?.replaceAll("_", " ") ?? "ended";
}

function paintOf({ reason, ended_at: end }: RunAttempt): Paint | null {
  if (end === null) return null;
  return reason === "cancelled" || reason === "replaced" ? "warn" : null;
}
