import type { EventKind, Hint, Resync } from "@belfry/client";
import { eventKinds } from "../choices.ts";
import { defineCommand } from "../command.ts";
import { usage } from "../failure.ts";
import { texts } from "../options.ts";
import { chainText } from "../views/chain.ts";
import { formatLocal } from "../output/time.ts";
import { printable } from "../output/width.ts";

export const command = defineCommand({
  options: { kinds: texts("--kinds <kinds>", `only these: ${eventKinds.join(", ")}`) },
  details:
    "Each is a hint to look again, and some may be missed: `resync` says that all should be read anew. Ctrl-C ends it.",
  examples: [
    ["belfry events --kinds run", "runs as they start and end"],
    ["belfry events --json | jq .kind", "one JSON object a line"],
  ],
  run: async ({ connect, options, host, out }) => {
    const kinds = options.kinds?.flatMap((text) => text.split(",")).map(readKind);
    const client = await connect();
    // a daemon that is not there is an error here, not something to wait for
    await client.health.get();
    const ended = new AbortController();
    using _ = host.onInterrupt(() => ended.abort());
    for await (const hint of client.events.subscribe({
      signal: ended.signal,
      ...(kinds === undefined ? {} : { kinds }),
    })) {
      out.event(hint, () => `${formatLocal(new Date(host.now()).toISOString())}  ${describe(hint)}`);
    }
  },
});

function readKind(text: string): EventKind {
  const kind = eventKinds.find((known) => known === text.trim());
  if (kind !== undefined) return kind;
  throw usage(`--kinds is any of ${eventKinds.join(", ")}, not ${JSON.stringify(text)}`);
}

function describe(hint: Hint | Resync): string {
  if (hint.kind === "resync") return `resync (${hint.reason})`;
  const name = nameIn(hint);
  return [hint.kind, hint.verb, hint.id, ...(name === null ? [] : [printable(name)])].join("  ");
}

function nameIn(hint: Hint): string | null {
  switch (hint.kind) {
    case "task":
      return hint.task?.name ?? null;
    case "group":
      return hint.group?.name ?? null;
    case "schedule":
      return hint.schedule === undefined ? null : `${hint.schedule.task_name}/${hint.schedule.name}`;
    case "run":
      return [hint.state, hint.outcome, hint.task_id].filter((word) => word !== undefined && word !== null).join("  ");
    case "trigger":
      return hint.trigger?.name ?? null;
    case "trigger_set":
      return `${hint.name}  ${hint.member_count}`;
    case "chain":
      return hint.chain === undefined ? null : chainText(hint.chain);
    case "notification_channel":
      return hint.notification_channel?.name ?? null;
    case "notification_assignment":
      return `of a ${hint.scope}`;
    case "notification_delivery":
      return [hint.state, hint.channel_id].filter((word) => word !== undefined).join("  ");
    case "manifest":
      return hint.manifest.display_name;
  }
}
