import type { Application } from "./application.ts";
import type { DaemonParts } from "./daemon-parts.ts";
import { findArrival, noteMachine } from "./kernel/storage/origin.ts";
import type { OpenDatabase } from "./kernel/storage/database.ts";

/**
 * Holds everything if the data was restored or came from another machine: its original may still run. In the same
 * write, it ends the work of the original, without its chains and webhooks. Runs whose runner is alive here continue, as
 * under any hold: only the id of the machine has changed. Call it before anything starts.
 */
export async function holdArrived(
  { write, modules }: Application,
  database: Pick<OpenDatabase, "sqlite">,
  { config, log, machineId = null }: Pick<DaemonParts, "config" | "log" | "machineId">,
): Promise<void> {
  const arrival = findArrival(database.sqlite, machineId);
  if (arrival === null || (arrival === "moved" && !config.holdWhenMoved)) {
    write(() => noteMachine(database.sqlite, machineId));
    return;
  }
  const attemptsHere = await modules.engine.listAttemptsHere();
  const ended = write((unit) => {
    noteMachine(database.sqlite, machineId);
    modules.holds.service.holdEverything(unit, arrival);
    const runs = modules.runs.abandonAll(unit, arrival, attemptsHere);
    const deliveries = modules.deliveries.service.abandonAll(unit);
    modules.watchers.service.beginAnew(unit);
    modules.schedules.recordHeld(unit);
    return { runs, deliveries };
  });
  log.warn("daemon.held", { cause: arrival, ...ended });
}
