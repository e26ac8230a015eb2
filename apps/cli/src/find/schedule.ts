import type { Client, Schedule } from "@belfry/client";
import { exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import { gather } from "../gather.ts";
import { find, type Kind, tryFind } from "./find.ts";
import { tasksOf } from "./task.ts";

function schedulesOf(client: Client): Kind<Schedule> {
  return {
    noun: "schedule",
    idPrefix: "sch",
    get: (id) => client.schedules.get(id),
    search: (part) => client.schedules.list({ limit: 1000, ...(part === null ? {} : { q: part }) }),
    pathOf: (schedule) => `${schedule.task_name}/${schedule.name}`,
  };
}

/** By id, by its own name, by `task/name`; or by the name of a task that has one schedule only. */
export async function findSchedule(client: Client, typed: string): Promise<Schedule> {
  const byName = await tryFind(schedulesOf(client), typed);
  if (byName !== null) return byName;
  const task = await tryFind(tasksOf(client), typed);
  if (task === null) return find(schedulesOf(client), typed);
  const own = await gather(client.schedules.list({ task_id: task.id }));
  if (own.length === 1) return own[0]!;
  if (own.length === 0) throw new Failure(exitCodes.notFound, `the task ${JSON.stringify(task.name)} has no schedule`);
  const lines = own.map((schedule) => `  ${schedule.id}  ${schedule.task_name}/${schedule.name}`);
  throw usage(
    `the task ${JSON.stringify(task.name)} has ${own.length} schedules`,
    `Say which, by its id or its path:\n${lines.join("\n")}`,
  );
}
