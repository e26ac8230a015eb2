import type { Client, NotificationRedelivery } from "@belfry/client";
import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { exitCodes } from "../../exit-codes.ts";
import { usage } from "../../failure.ts";
import { findChannel } from "../../find/channel.ts";
import { readTime } from "../../input/time.ts";
import { flag, text } from "../../options.ts";
import { redeliveryText } from "../../views/delivery.ts";
import { waitForDelivery } from "../../webhooks/wait-for-delivery.ts";

export const command = defineCommand({
  arguments: [{ ...argument.delivery, isOptional: true }],
  options: {
    failed: flag("--failed", "redeliver the failed deliveries since a time, at most 1,000, oldest first"),
    since: text("--since <time>", 'with --failed: ended since: 2h, yesterday, "2026-12-01 03:00"'),
    channel: text("--channel <channel>", "with --failed: only those to this channel"),
    wait: flag("--wait", "wait for its end; the exit code is 1 if it was not delivered"),
  },
  details:
    "The same event goes out as a new delivery with a new id, to the channel's present endpoint. With --failed, deliveries that were redelivered before are left out, so the command can be repeated.",
  examples: [
    ["belfry delivery redeliver dlv_3gMv8JhPq6Ws1YbKt5Xe --wait", "once the receiver is up again"],
    ["belfry delivery redeliver --failed --since 2h --channel Ops", "everything that Ops missed in the last two hours"],
  ],
  run: async ({ connect, args: [id], options, host, out }) => {
    const { failed, since, channel, wait } = options;
    if (failed === true) {
      if (id !== undefined) throw usage("Name one delivery, or use --failed: not both");
      if (since === undefined) throw usage("--failed needs --since <time>", "For example --since 2h");
      if (wait === true) throw usage("--wait waits for one delivery: leave it out with --failed");
      const time = readTime(since, { nowMs: host.now(), direction: "past", option: "--since" });
      const client = await connect();
      const made = await redeliverFailed(client, time, channel);
      out.answer(made, () => redeliveryText(made));
      return exitCodes.ok;
    }
    if (since !== undefined || channel !== undefined) throw usage("--since and --channel belong to --failed");
    if (id === undefined) throw usage("Name a delivery, or use --failed with --since <time>");
    const client = await connect();
    const sent = await client.notificationDeliveries.redeliver(id);
    if (wait === true) return waitForDelivery(client, sent, out);
    out.answer(sent, () => `Queued again as ${sent.id}`);
    return exitCodes.ok;
  },
});

async function redeliverFailed(
  client: Client,
  since: string,
  channel: string | undefined,
): Promise<NotificationRedelivery> {
  const channel_id = channel === undefined ? undefined : (await findChannel(client, channel)).id;
  return client.notificationDeliveries.redeliverFailed({ since, ...withoutUndefined({ channel_id }) });
}
