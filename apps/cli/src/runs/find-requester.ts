import { isApiError, type Run } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { timingText } from "../views/schedule.ts";

/** The schedule, trigger, watcher or chain that requested a run, by its name; null for a manual run. */
export async function findRequester(client: AnyClient, run: Run): Promise<string | null> {
  const { source_schedule_id, source_trigger_id, source_watcher_id, source_chain_id } = run;
  if (source_schedule_id !== null)
    return nameOf(source_schedule_id, async (id) => {
      const schedule = await client.schedules.get(id);
      const timing = timingText(schedule);
      // a schedule without a name of its own is named after its time
      const isNamed = ![timing, `at ${schedule.at}`].includes(schedule.name);
      return isNamed ? `${JSON.stringify(schedule.name)}, ${timing}` : timing;
    });
  if (source_trigger_id !== undefined)
    return nameOf(source_trigger_id, async (id) => JSON.stringify((await client.triggers.get(id)).name));
  if (source_watcher_id !== undefined)
    return nameOf(source_watcher_id, async (id) => JSON.stringify((await client.watchers.get(id)).name));
  // a chain has no name, and its tasks are shown beside it
  return source_chain_id === null ? null : `chain ${source_chain_id}`;
}

/** `"Deploy" (trg_…)`; a requester may be deleted before its runs. */
async function nameOf(id: string, read: (id: string) => Promise<string>): Promise<string> {
  try {
    return `${await read(id)} (${id})`;
  } catch (error) {
    if (isApiError(error, "not_found")) return `${id}, which was deleted`;
    throw error;
  }
}
