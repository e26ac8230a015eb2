import type { Agenda } from "@belfry/client";
import { limits } from "@belfry/contract";
import { defineCommand } from "../command.ts";
import { defined } from "../defined.ts";
import { taskRef, tellTasksApart } from "../find/task-names.ts";
import { readTime } from "../input/time.ts";
import { integer, text } from "../options.ts";
import type { Column } from "../output/table.ts";
import { formatLocal, formatRelative } from "../output/time.ts";

export const command = defineCommand({
  options: {
    from: text("--from <time>", "from then (now)"),
    until: text("--until <time>", "until then (a day later)"),
    limit: integer("-n, --limit <n>", "how many (100)", { min: 1, max: limits.listMax }),
  },
  examples: [
    ["belfry agenda", "the next 24 hours"],
    ['belfry agenda --from tomorrow --until "tomorrow 06:00"', "the coming night"],
  ],
  run: async ({ connect, options, host, out }) => {
    const nowMs = host.now();
    const read = (time: string | undefined, option: string) =>
      time === undefined ? undefined : readTime(time, { nowMs, direction: "future", option });
    const query = defined({
      from: read(options.from, "--from"),
      until: read(options.until, "--until"),
      limit: options.limit,
    });
    const client = await connect();
    const agenda = await client.schedules.agenda(query);
    const nameOf = await tellTasksApart(client, agenda.entries.map(taskRef), out);
    const columns: readonly Column<Agenda["entries"][number]>[] = [
      { title: "WHEN", text: ({ at }) => at, isTime: true },
      { title: "FROM NOW", text: ({ at }) => formatRelative(at, nowMs) },
      { title: "TASK", text: (entry) => nameOf(taskRef(entry)), isFlexible: true },
      { title: "SCHEDULE", text: ({ schedule_name }) => schedule_name, isFlexible: true },
    ];
    out.answer(agenda, () =>
      agenda.entries.length === 0
        ? `Nothing is due until ${formatLocal(agenda.until)}`
        : out.table(columns, agenda.entries),
    );
    if (!agenda.complete) out.note("There is more: --limit <n>, or a nearer --until");
  },
});
