import type { TaskCreate } from "@belfry/client";
import { limits } from "@belfry/contract";
import { resolve } from "node:path";
import { withoutUndefined } from "../without-undefined.ts";
import { usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { readEnvironment } from "../input/environment.ts";
import { readLabels } from "../input/labels.ts";
import { readSize } from "../input/size.ts";
import { readText } from "../input/text.ts";
import type { ValuesOf } from "../options.ts";
import type { taskChanges } from "./task-options.ts";

type Values = ValuesOf<typeof taskChanges>;
type Command = NonNullable<TaskCreate["command"]>;

const outputSize = { option: "--max-output", min: limits.outputBytesMin, max: limits.outputBytesMax };
const keptSize = { option: "--keep-bytes", min: limits.retentionBytesMin, max: limits.retentionBytesMax };

/** The members that a new task and a change have in common, without nested objects: a change has to merge those. */
export async function taskMembers(values: Values, program: readonly string[], host: Host) {
  if (values.envFrom === "-" && values.stdin === "-")
    throw usage("--env-from and --stdin cannot both read standard input. Put one of them in a file");
  const hasEnvironment = values.env !== undefined || values.envFrom !== undefined;
  return withoutUndefined({
    command: readCommand(values.shell, program),
    description: values.description,
    run_as: values.runAs,
    working_directory: typeof values.cwd === "string" ? resolve(values.cwd) : values.cwd,
    environment: hasEnvironment ? await readEnvironment(values, host) : undefined,
    standard_input:
      typeof values.stdin === "string"
        ? await readText(values.stdin, host, { subject: `the file ${values.stdin} of --stdin` })
        : values.stdin,
    timeout: values.timeout,
    kill_grace: values.killGrace,
    leftovers: values.leftovers,
    on_lost: values.onLost,
    expect_success_within: values.expectSuccess,
    priority: values.priority,
    success_exit_codes: values.successExit?.flatMap(readExitCodes),
    output: values.maxOutput === undefined ? undefined : { max_bytes: readSize(values.maxOutput, outputSize) },
    labels: values.label === undefined ? undefined : readLabels(values.label),
  });
}

/** The nested objects, each with only the given members. */
export function nestedTaskMembers(values: Values) {
  return {
    retry: withoutUndefined({
      max_attempts: values.retries === undefined ? undefined : values.retries + 1,
      delay: values.retryDelay,
    }),
    concurrency: withoutUndefined({ limit: values.limit, key: values.concurrencyKey, on_conflict: values.onConflict }),
    retention: withoutUndefined({
      runs: values.keepRuns,
      age: values.keepFor,
      bytes: values.keepBytes === undefined ? undefined : readSize(values.keepBytes, keptSize),
    }),
  };
}

function readCommand(script: string | undefined, program: readonly string[]): Command | undefined {
  if (script !== undefined && program.length > 0) throw usage("give either --shell or a program after --, not both");
  if (script !== undefined) return { kind: "shell", script };
  const [first, ...rest] = program;
  return first === undefined ? undefined : { kind: "exec", program: first, arguments: rest };
}

function readExitCodes(text: string): number[] {
  return text.split(",").map((code) => {
    if (/^\d{1,3}$/.test(code) && Number(code) <= 255) return Number(code);
    throw usage(`invalid exit code ${JSON.stringify(code)} for --success-exit. Use a number from 0 to 255`);
  });
}
