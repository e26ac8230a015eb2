import type { Schedule } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import { gather } from "../gather.ts";
import { asWritten, quoteName } from "../output/hints.ts";
import { find, type ResourceKind, tryFind } from "./find.ts";
import { taskKind } from "./task.ts";

export function scheduleKind(client: AnyClient): ResourceKind<Schedule> {
  return {
    noun: "schedule",
    idPrefix: "sch",
    get: (id) => client.schedules.get(id),
    search: (part) => client.schedules.list({ limit: 1000, ...(part === null ? {} : { q: part }) }),
    pathOf: (schedule) => `${schedule.task_name}/${schedule.name}`,
  };
}

/** Finds a schedule by id, name or `task/name`, or by the name of a task that has only one. */
export async function findSchedule(client: AnyClient, typed: string): Promise<Schedule> {
  const byName = await tryFind(scheduleKind(client), typed);
  if (byName !== null) return byName;
  const task = await tryFind(taskKind(client), typed);
  if (task === null) return find(scheduleKind(client), typed);
  const own = await gather(client.schedules.list({ task_id: task.id }));
  if (own.length === 1) return own[0]!;
  if (own.length === 0)
    throw new Failure(exitCodes.notFound, `task ${JSON.stringify(task.name)} has no schedule`, {
      hint: `Add one with: belfry schedule add ${quoteName(typed)} --cron "0 3 * * *"`,
    });
  const lines = own.map((schedule) => `  ${schedule.id}  ${asWritten(`${schedule.task_name}/${schedule.name}`)}`);
  throw usage(
    `task ${JSON.stringify(task.name)} has ${own.length} schedules`,
    `Use one of these ids:\n${lines.join("\n")}`,
  );
}
