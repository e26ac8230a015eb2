import type { FilesystemWatcher } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { pause } from "../pause.ts";

const delayMs = 100;
const waitMaxMs = 2_000;

/** Polls until a new watcher has started, because only then its health says whether it works; gives up after a while. */
export async function waitForHealth(client: AnyClient, made: FilesystemWatcher): Promise<FilesystemWatcher> {
  let current = made;
  for (let waitedMs = 0; current.health.state === "starting" && waitedMs < waitMaxMs; waitedMs += delayMs) {
    await pause(delayMs);
    current = await client.watchers.get(made.id);
  }
  return current;
}
