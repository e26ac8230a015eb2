import type { EventKind, Hint, Resync } from "@belfry/client";
import { eventKinds } from "../choices.ts";
import { defineCommand } from "../command.ts";
import { usage } from "../failure.ts";
import { texts } from "../options.ts";
import { createTaskNames } from "../find/known-task-names.ts";
import { chainText } from "../views/chain.ts";
import { formatLocal } from "../output/time.ts";
import { printable } from "../output/width.ts";

export const command = defineCommand({
  options: {
    kinds: texts("--kinds <kinds>", `only events of these kinds, separated by commas: ${eventKinds.join(", ")}`),
  },
  details:
    "Events can be dropped. A `resync` event means that some events may have been missed: reload the current state. Stop with Ctrl-C.",
  examples: [
    ["belfry events --kinds run", "print runs as they start and finish"],
    ["belfry events --json | jq .kind", "print one JSON object per line"],
  ],
  run: async ({ connect, options, host, out }) => {
    const kinds = options.kinds?.flatMap((text) => text.split(",")).map(readKind);
    const client = await connect();
    // subscribe() waits for a daemon that is down; here that is an error
    await client.health.get();
    const ended = new AbortController();
    using _ = host.onInterrupt(() => ended.abort());
    const taskNames = createTaskNames(client);
    for await (const event of client.events.subscribe({
      signal: ended.signal,
      ...(kinds === undefined ? {} : { kinds }),
    })) {
      if (event.kind === "task") taskNames.forget(event.id);
      const at = formatLocal(new Date(host.now()).toISOString());
      const task = out.json || event.kind !== "run" ? null : await taskNames.read(event.task_id);
      out.event(event, () => `${at}  ${describe(event, task)}`);
      await out.untilRead();
    }
  },
});

function readKind(text: string): EventKind {
  const kind = eventKinds.find((known) => known === text.trim());
  if (kind !== undefined) return kind;
  throw usage(`invalid value ${JSON.stringify(text)} for --kinds. Use any of ${eventKinds.join(", ")}`);
}

/** `task` is the path of a run's task. */
function describe(event: Hint | Resync, task: string | null): string {
  if (event.kind === "resync") return `resync (${event.reason})`;
  const name = nameIn(event, task);
  return [event.kind, event.verb, event.id, ...(name === null ? [] : [printable(name)])].join("  ");
}

function nameIn(event: Hint, task: string | null): string | null {
  switch (event.kind) {
    case "task":
      return event.task?.name ?? null;
    case "group":
      return event.group?.name ?? null;
    case "hold":
      return event.hold === undefined ? null : (event.hold.group_name ?? "all tasks");
    case "schedule":
      return event.schedule === undefined ? null : `${event.schedule.task_name}/${event.schedule.name}`;
    case "run":
      return [event.state, event.outcome, task].filter((word) => word !== undefined && word !== null).join("  ");
    case "trigger":
      return event.trigger?.name ?? null;
    case "trigger_set":
      return `${event.name}  ${event.member_count} ${event.member_count === 1 ? "member" : "members"}`;
    case "filesystem_watcher":
      return [event.name, event.health?.state].filter((word) => word !== undefined).join("  ");
    case "chain":
      return event.chain === undefined ? null : chainText(event.chain);
    case "notification_channel":
      return event.notification_channel?.name ?? null;
    case "notification_assignment":
      return `of a ${event.scope}`;
    case "notification_delivery":
      return [event.state, event.channel_id].filter((word) => word !== undefined).join("  ");
    case "manifest":
      return event.manifest.display_name;
    case "actor":
      return [event.actor.name, event.actor.state].join("  ");
  }
}
