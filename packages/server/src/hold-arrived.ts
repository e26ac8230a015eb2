import type { Application } from "./application.ts";
import type { DaemonParts } from "./daemon-parts.ts";
import { findArrival, noteMachine } from "./kernel/storage/origin.ts";
import type { OpenDatabase } from "./kernel/storage/database.ts";

/**
 * Holds everything if the data was restored or came from another machine: its original may still run. In the same
 * write, it ends the work of the original, of which nothing may happen here. So neither a chain nor a webhook follows,
 * and no order or signal reaches a process. Call it before anything starts.
 */
export function holdArrived(
  { write, modules }: Application,
  database: Pick<OpenDatabase, "sqlite">,
  { config, log, machineId = null }: Pick<DaemonParts, "config" | "log" | "machineId">,
): void {
  const arrival = findArrival(database.sqlite, machineId);
  if (arrival === null || (arrival === "moved" && !config.holdWhenMoved)) {
    write(() => noteMachine(database.sqlite, machineId));
    return;
  }
  const ended = write((unit) => {
    noteMachine(database.sqlite, machineId);
    modules.holds.service.holdEverything(unit, arrival);
    const runs = modules.runs.abandonAll(unit, arrival);
    const deliveries = modules.deliveries.service.abandonAll(unit);
    modules.watchers.service.beginAnew(unit);
    modules.schedules.recordHeld(unit);
    return { runs, deliveries };
  });
  log.warn("daemon.held", { cause: arrival, ...ended });
}
