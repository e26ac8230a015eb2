import { ConnectionError, TimeoutError } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import type { Host } from "../host.ts";
import type { Output } from "../output/output.ts";
import { pause } from "../pause.ts";
import { readStatus, type Status } from "./read-status.ts";
import { renderStatus } from "./render-status.ts";

const stepMs = 250;
const redrawMs = 1_000;

/** Shows the status until an interrupt. It is read again after events, and when the next run is due. */
export async function watchStatus(
  client: AnyClient,
  { host, out }: { readonly host: Host; readonly out: Output },
): Promise<void> {
  const ended = new AbortController();
  using _ = host.onInterrupt(() => ended.abort());
  // events arrive during a read too, so whether to read again does not say whether the daemon responds
  let isStale = true;
  let isUnanswered = false;
  let isChanged = false;
  const events = (async () => {
    for await (const _event of client.events.subscribe({
      kinds: ["run", "task", "schedule", "group", "hold"],
      signal: ended.signal,
    }))
      isStale = true;
  })();
  // awaited at the end; a failure there must not end the process first
  events.catch(() => ended.abort());
  const screen = out.screen();
  let status: Status | null = null;
  let readMs = Number.NEGATIVE_INFINITY;
  let drawnMs = Number.NEGATIVE_INFINITY;
  try {
    while (!ended.signal.aborted) {
      const nowMs = host.now();
      const isDue = status !== null && status.next.some(({ at }) => Date.parse(at) <= nowMs);
      const isNew = (isStale || isDue) && nowMs - readMs >= redrawMs;
      if (isNew) {
        isStale = false;
        readMs = nowMs;
        const read: Status | null = await readOrNull(client, nowMs);
        isChanged = read !== null || (!isUnanswered && !out.json);
        isUnanswered = read === null;
        if (read === null) isStale = true;
        else status = read;
      }
      const isShown = screen === null || out.json ? isChanged : isChanged || nowMs - drawnMs >= redrawMs;
      if (status !== null && isShown) {
        isChanged = false;
        drawnMs = nowMs;
        const shown = status;
        const render = (): string =>
          renderStatus(shown, out, nowMs) + (isUnanswered ? "\n\nThe daemon does not respond" : "");
        if (out.json || screen === null) out.event(status, () => `${render()}\n`);
        else screen.draw(render());
      }
      await pause(stepMs);
    }
  } finally {
    // the stream would keep the process alive after an error
    ended.abort();
  }
  await events;
}

/** Null while the daemon does not respond, for example because it restarts. */
async function readOrNull(client: AnyClient, nowMs: number): Promise<Status | null> {
  try {
    return await readStatus(client, nowMs);
  } catch (error) {
    if (error instanceof ConnectionError || error instanceof TimeoutError) return null;
    throw error;
  }
}
