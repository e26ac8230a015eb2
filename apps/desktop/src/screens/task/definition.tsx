import type { Task } from "@belfry/client";
import type { ReactNode } from "react";
import { type Fact, Facts, Section } from "../../components/page.tsx";
import { count, formatBytes } from "../../data/words.ts";
import { commandLine } from "../edit/argument-lines.ts";

/** What the task is. What the caller may not see is left out. */
export function Definition({ task }: { readonly task: Task }): ReactNode {
  return (
    <Section title="Definition">
      <Facts facts={factsOf(task)} />
    </Section>
  );
}

function factsOf(task: Task): readonly (Fact | null)[] {
  const { command, environment_names: names, concurrency, retry, retention } = task;
  return [
    command === undefined || command === null ? null : { name: "Command", value: <CommandText command={command} /> },
    optional("Runs as", task.run_as),
    optional("Directory", task.working_directory),
    names === undefined || names.length === 0 ? null : { name: "Environment", value: <code>{names.join(" ")}</code> },
    task.has_standard_input ? { name: "Standard input", value: "given" } : null,
    optional("Timeout", task.timeout),
    retry.max_attempts === 1
      ? null
      : {
          name: "Attempts",
          value: `${retry.max_attempts} at most, the second after ${retry.delay}, then ${retry.backoff} times as long`,
        },
    {
      name: "Concurrency",
      value: `${count(concurrency.limit, "run")}${concurrency.key === null ? "" : ` of all tasks with the key ${concurrency.key}`}; a further one ${conflicts[concurrency.on_conflict]}`,
    },
    optional("Success expected", task.expect_success_within, "every "),
    { name: "Success", value: `exit code ${task.success_exit_codes.join(" or ")}` },
    { name: "Output kept", value: `${formatBytes(task.output.max_bytes)} of each stream` },
    {
      name: "History kept",
      value: `${count(retention.runs, "run")}, ${retention.age}, ${formatBytes(retention.bytes)} of output`,
    },
    Object.keys(task.labels).length === 0
      ? null
      : {
          name: "Labels",
          value: Object.entries(task.labels)
            .map(([key, value]) => (value === "" ? key : `${key}: ${value}`))
            .join(", "),
        },
  ];
}

const conflicts = { queue: "waits", skip: "is skipped", replace: "replaces the oldest" } as const;

function optional(name: string, value: string | null | undefined, before = ""): Fact | null {
  return value === null || value === undefined ? null : { name, value: `${before}${value}` };
}

function CommandText({ command }: { readonly command: NonNullable<Task["command"]> }): ReactNode {
  if (command.kind === "exec")
    return (
      <code className="break-all whitespace-pre-wrap">{commandLine([command.program, ...command.arguments])}</code>
    );
  return (
    <pre
      className="max-h-72 overflow-auto rounded-sm bg-surface p-2 wrap-anywhere whitespace-pre-wrap"
      tabIndex={0}
      aria-label="Script"
    >
      {command.script}
    </pre>
  );
}
