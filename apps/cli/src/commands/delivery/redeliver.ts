import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { flag } from "../../options.ts";
import { tellEnd } from "../../webhooks/wait-for-delivery.ts";

export const command = defineCommand({
  arguments: [argument.delivery],
  options: { wait: flag("--wait", "wait for its end; the exit code is 1 if it was not delivered") },
  details: "The same event goes out as a new delivery, to where its channel leads now.",
  examples: [["belfry delivery redeliver dlv_3gMv8JhPq6Ws1YbKt5Xe --wait", "once the receiver is up again"]],
  run: async ({ connect, args: [id], options, out }) => {
    const client = await connect();
    const sent = await client.notificationDeliveries.redeliver(id);
    if (options.wait === true) return tellEnd(client, sent, out);
    out.answer(sent, () => `Queued once more (${sent.id})`);
    return exitCodes.ok;
  },
});
