import { isApiError, type OutputItem } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { usage } from "../failure.ts";
import type { Output } from "../output/output.ts";
import { describeDropped, printLines } from "./print-lines.ts";

/** Which output of a run to print, and how. */
export interface OutputSelection {
  readonly stream: "stdout" | "stderr" | "both";
  /** Only the last lines. */
  readonly tail?: number;
  /** Only the output since this time. */
  readonly since?: string;
  /** Whether to print the time of each line. */
  readonly timestamps?: boolean;
  readonly out: Output;
}

interface AttemptSelection extends OutputSelection {
  readonly follow: boolean;
  readonly attempt?: number;
}

/**
 * Copies the output of a run: its standard output to ours, its standard error to ours. Returns whether there was any.
 */
export async function copyOutput(
  client: AnyClient,
  runId: string,
  { out, timestamps = false, ...query }: AttemptSelection,
): Promise<boolean> {
  // a run without output is not a slow daemon
  out.endProgress();
  try {
    if (timestamps && !out.json) return await printLines(client.runs.outputLines(runId, query), out);
    let isAny = false;
    for await (const item of client.runs.output(runId, query)) {
      isAny ||= item.kind !== "end";
      if (out.json) out.event(asWire(item), () => "");
      else copy(item, out);
      await out.untilRead();
    }
    return isAny;
  } catch (error) {
    throw explainOlderDaemon(error);
  }
}

function copy(item: OutputItem, out: Output): void {
  if (item.kind === "cut") out.writeError(describeDropped(item.bytes, item.stream));
  if (item.kind !== "output") return;
  if (item.stream === "stdout") out.write(item.bytes);
  else out.writeError(item.bytes);
}

function asWire(item: OutputItem): object {
  if (item.kind !== "output") return item;
  const { bytes, ...rest } = item;
  return { ...rest, base64: Buffer.from(bytes).toString("base64") };
}

/** The command has checked both values, so a daemon that rejects one of them does not know it. */
function explainOlderDaemon(error: unknown): unknown {
  if (!isApiError(error, "validation_failed") || (error.field !== "tail" && error.field !== "since")) return error;
  return usage(`the daemon is older than this command. Update the daemon, or leave out --${error.field}`);
}
