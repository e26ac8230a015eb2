import type { Task } from "@belfry/client";
import { defineCommand } from "../../command.ts";
import { pathOfTask } from "../../find/task.ts";
import { callEach, type DaemonResult, failureText, onOption, resultAsJson, worstOf } from "../../fleet/each-daemon.ts";
import { gather } from "../../gather.ts";
import { text } from "../../options.ts";
import type { Column } from "../../output/table.ts";
import { withoutUndefined } from "../../without-undefined.ts";

/** A task of one daemon, or a daemon that did not answer. */
interface Row {
  readonly result: DaemonResult<{ readonly tasks: readonly Task[] }>;
  readonly task: Task | null;
}

const columns: readonly Column<Row>[] = [
  { title: "PROFILE", text: ({ result }) => result.profile },
  { title: "TASK", text: ({ task }) => (task === null ? null : pathOfTask(task)), isFlexible: true },
  {
    title: "STATE",
    text: ({ result, task }) => failureText(result) ?? task!.reason.replaceAll("_", " "),
    color: ({ task }) => (task === null ? "bad" : task.readiness === "ready" ? "good" : "dim"),
  },
  { title: "PROBLEM", text: ({ result }) => result.failure?.message ?? "", isFlexible: true },
];

export const command = defineCommand({
  options: { on: onOption, name: text("--name <part>", "only names that contain this text") },
  details: "Calls eight daemons at a time. The exit code is the highest of all daemons.",
  examples: [
    ["belfry fleet tasks", "list the tasks of all daemons"],
    ["belfry fleet tasks --name backup --on build,web", "list the tasks of two daemons by name"],
  ],
  run: async ({ options, host, out, ...call }) => {
    const query = withoutUndefined({ q: options.name });
    const results = await callEach(options.on, { ...call, host, out }, async (client) => ({
      tasks: await gather(client.tasks.list({ ...query, limit: 1000 })),
    }));
    const rows = results.flatMap((result): readonly Row[] =>
      result.failure === null ? result.answer.tasks.map((task) => ({ result, task })) : [{ result, task: null }],
    );
    if (rows.length === 0 && !out.json) out.note("No tasks match");
    else out.answer({ daemons: results.map(resultAsJson) }, () => out.table(columns, rows));
    return worstOf(results);
  },
});
