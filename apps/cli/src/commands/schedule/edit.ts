import type { Schedule } from "@belfry/client";
import type { AnyClient } from "../../any-client.ts";
import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import {
  boundsOf,
  dstOf,
  misfireOf,
  refuseWithoutMissed,
  spreadHint,
  spreadRequirement,
} from "../../definitions/timing.ts";
import { scheduleChanges } from "../../definitions/timing-options.ts";
import { exitCodes } from "../../exit-codes.ts";
import { Failure } from "../../failure.ts";
import { findSchedule } from "../../find/schedule.ts";
import { fullPathOfTask } from "../../find/task.ts";
import { requireChange } from "../../input/require-change.ts";
import { readTime } from "../../input/time.ts";
import { text } from "../../options.ts";
import { quoteForShell } from "../../output/hints.ts";
import { nextRunText } from "../../views/schedule.ts";

export const command = defineCommand({
  arguments: [argument.schedule],
  options: {
    name: text("--name <name>", "new name"),
    ...scheduleChanges,
  },
  details:
    "Options that are not given stay unchanged. The kind of a schedule cannot change: to go from --cron to --every, add a new schedule and delete the old one. Local times of --starts-at and --ends-at are in the own time zone of the schedule, if it has one.",
  examples: [
    ['belfry schedule edit "Nightly backup" --cron "30 3 * * *"', "change the time to 03:30"],
    ['belfry schedule edit "Nightly backup" --missed skip --no-tz', "skip missed times, and inherit the time zone"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const nowMs = host.now();
    const moment = { nowMs, note: (remark: string) => out.note(remark) };
    const misfire = misfireOf(options);
    const dst = dstOf(options);
    const client = await connect();
    const schedule = await findSchedule(client, typed);
    const patch = {
      ...withoutUndefined({
        name: options.name,
        expression: options.cron,
        every: options.every,
        at:
          options.at === undefined
            ? undefined
            : readTime(options.at, { ...moment, direction: "future", option: "--at" }),
        time_zone: options.tz,
        jitter: options.jitter,
        spread: options.spread === null ? false : options.spread,
        // the daemon replaces a nested object as a whole, so its other members are sent back unchanged
        misfire: Object.keys(misfire).length === 0 ? undefined : { ...schedule.misfire, ...misfire },
        dst: Object.keys(dst).length === 0 ? undefined : { ...schedule.dst, ...dst },
      }),
      ...boundsOf(options, { ...moment, zone: options.tz === undefined ? schedule.time_zone : options.tz }),
    };
    requireChange(patch, "schedule");
    await refuseOtherKind(client, schedule, options);
    refuseWithoutMissed(options, schedule.misfire.policy);
    const changed = await client.schedules.update(schedule.id, patch, { ifMatch: schedule.revision });
    out.answer(
      changed,
      () => `Changed the schedule of task ${JSON.stringify(changed.task_name)}: ${nextRunText(changed, nowMs)}`,
    );
  },
});

/** The option of each kind of schedule. */
const optionOfKind = { cron: "--cron", interval: "--every", once: "--at", boot: "--boot" } as const;

/** The kind of each option that sets the times, and its member in the API. */
const kinds = { cron: ["cron", "expression"], every: ["interval", "every"], at: ["once", "at"] } as const;

/** The options that only a schedule with `--cron` has, and their members in the API. */
const cronOptions = {
  tz: ["--tz", "time_zone"],
  dstGap: ["--dst-gap", "dst"],
  dstOverlap: ["--dst-overlap", "dst"],
} as const;

type KindOptions = { readonly [K in keyof (typeof kinds & typeof cronOptions)]?: string | null | undefined } & {
  readonly spread?: boolean | null | undefined;
};

/** As the daemon refuses it, but with the options, and with the commands to use instead. */
async function refuseOtherKind(client: AnyClient, schedule: Schedule, options: KindOptions): Promise<void> {
  const made = optionOfKind[schedule.kind];
  for (const [name, [kind, field]] of Object.entries(kinds)) {
    const value = options[name as keyof typeof kinds];
    if (typeof value !== "string" || schedule.kind === kind) continue;
    const task = quoteForShell(fullPathOfTask(await client.tasks.get(schedule.task_id)));
    throw new Failure(exitCodes.usage, `this schedule was made with ${made}, and cannot become one with --${name}`, {
      code: "validation_failed",
      field,
      hint: `Add a schedule with: belfry schedule add ${task} --${name} ${quoteForShell(value)}\nDelete this one with: belfry schedule delete ${schedule.id}`,
    });
  }
  for (const [name, [option, field]] of Object.entries(cronOptions)) {
    if (options[name as keyof typeof cronOptions] === undefined || schedule.kind === "cron") continue;
    throw new Failure(exitCodes.usage, `${option} requires --cron, and this schedule was made with ${made}`, {
      code: "validation_failed",
      field,
    });
  }
  if (options.spread !== undefined && schedule.kind !== "cron" && schedule.kind !== "interval")
    throw new Failure(exitCodes.usage, `${spreadRequirement}, and this schedule was made with ${made}`, {
      code: "validation_failed",
      field: "spread",
      hint: spreadHint,
    });
}
