import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { findChannel } from "../../find/channel.ts";
import { flag } from "../../options.ts";
import { waitForDelivery } from "../../webhooks/wait-for-delivery.ts";

export const command = defineCommand({
  arguments: [argument.channel],
  options: { wait: flag("--wait", "wait until the delivery succeeds or fails; exit with 1 if it fails") },
  details: "The test is delivered like any other notification, including retries.",
  examples: [["belfry channel test Ops --wait", "send a test and show the response"]],
  run: async ({ connect, args: [typed], options, out }) => {
    const client = await connect();
    const channel = await findChannel(client, typed);
    const sent = await client.notificationChannels.test(channel.id);
    if (options.wait === true) return waitForDelivery(client, sent, out);
    out.answer(sent, () => `Queued a test for channel ${JSON.stringify(channel.name)} (${sent.id})`);
    return exitCodes.ok;
  },
});
