import { type FilesystemWatcher, isApiError } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import type { Host } from "../host.ts";
import type { Output } from "../output/output.ts";
import { formatLocal } from "../output/time.ts";
import { healthText } from "../views/watcher.ts";

/** Prints the health of a watcher, now and after each change, until an interrupt or the watcher's deletion. */
export async function followHealth(
  client: AnyClient,
  id: string,
  { host, out }: { readonly host: Host; readonly out: Output },
): Promise<void> {
  const ended = new AbortController();
  using _ = host.onInterrupt(() => ended.abort());
  let shown = "";
  for await (const event of client.events.subscribe({ kinds: ["filesystem_watcher"], signal: ended.signal })) {
    if (event.kind !== "resync" && event.id !== id) continue;
    const watcher = await findExisting(client, id);
    if (watcher === null) return out.note("The watcher was deleted");
    const { health } = watcher;
    const line = `${formatLocal(health.since)}  ${healthText(health)}`;
    if (line !== shown) out.event(health, () => line);
    shown = line;
  }
}

async function findExisting(client: AnyClient, id: string): Promise<FilesystemWatcher | null> {
  try {
    return await client.watchers.get(id);
  } catch (error) {
    if (isApiError(error, "not_found")) return null;
    throw error;
  }
}
