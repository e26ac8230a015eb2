import type { NotificationRedelivery } from "@belfry/client";
import type { AnyClient } from "../../any-client.ts";
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
    failed: flag("--failed", "resend failed deliveries, oldest first, at most 1,000; requires --since"),
    since: text(
      "--since <time>",
      'with --failed: only deliveries that failed since this time, for example 2h, yesterday or "2026-12-01 03:00"',
    ),
    channel: text("--channel <channel>", "with --failed: only deliveries to this channel"),
    wait: flag("--wait", "wait until the delivery succeeds or fails; exit with 1 if it fails"),
  },
  details:
    "The same event is sent as a new delivery with a new id, to the current endpoint of the channel. With --failed, deliveries that were already resent are skipped, so you can repeat the command.",
  examples: [
    ["belfry delivery redeliver dlv_3gMv8JhPq6Ws1YbKt5Xe --wait", "resend one delivery"],
    [
      "belfry delivery redeliver --failed --since 2h --channel Ops",
      "resend the deliveries to Ops that failed in the last two hours",
    ],
  ],
  run: async ({ connect, args: [id], options, host, out }) => {
    const { failed, since, channel, wait } = options;
    if (failed === true) {
      if (id !== undefined) throw usage("give a delivery id or --failed, not both");
      if (since === undefined) throw usage("--failed requires --since <time>, for example --since 2h");
      if (wait === true) throw usage("--wait cannot be combined with --failed. Omit --wait");
      const time = readTime(since, { nowMs: host.now(), direction: "past", option: "--since" });
      const client = await connect();
      const made = await redeliverFailed(client, time, channel);
      out.answer(made, () => redeliveryText(made));
      return exitCodes.ok;
    }
    if (since !== undefined || channel !== undefined) throw usage("--since and --channel require --failed");
    if (id === undefined) throw usage("missing delivery id. Give one, or use --failed with --since <time>");
    const client = await connect();
    const sent = await client.notificationDeliveries.redeliver(id);
    if (wait === true) return waitForDelivery(client, sent, out);
    out.answer(sent, () => `Queued a redelivery (${sent.id})`);
    return exitCodes.ok;
  },
});

async function redeliverFailed(
  client: AnyClient,
  since: string,
  channel: string | undefined,
): Promise<NotificationRedelivery> {
  const channel_id = channel === undefined ? undefined : (await findChannel(client, channel)).id;
  return client.notificationDeliveries.redeliverFailed({ since, ...withoutUndefined({ channel_id }) });
}
