import type { OutputItem } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import type { Output } from "../output/output.ts";
import { formatBytes } from "../output/time.ts";

interface OutputSelection {
  readonly stream: "stdout" | "stderr" | "both";
  readonly follow: boolean;
  readonly attempt?: number;
}

/** Copies the output of a run: its standard output to ours, its standard error to ours. */
export async function copyOutput(
  client: AnyClient,
  runId: string,
  { out, ...selection }: OutputSelection & { readonly out: Output },
): Promise<void> {
  // a run without output is not a slow daemon
  out.endProgress();
  for await (const item of client.runs.output(runId, selection)) {
    if (out.json) out.event(asWire(item), () => "");
    else copy(item, out);
  }
}

function copy(item: OutputItem, out: Output): void {
  if (item.kind === "cut") out.writeError(`[${formatBytes(item.bytes)} of ${item.stream} dropped]\n`);
  if (item.kind !== "output") return;
  if (item.stream === "stdout") out.write(item.bytes);
  else out.writeError(item.bytes);
}

function asWire(item: OutputItem): object {
  if (item.kind !== "output") return item;
  const { bytes, ...rest } = item;
  return { ...rest, base64: Buffer.from(bytes).toString("base64") };
}
