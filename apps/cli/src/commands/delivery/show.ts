import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { renderDetails } from "../../output/details.ts";
import { deliveryDetails } from "../../views/delivery.ts";

export const command = defineCommand({
  arguments: [argument.delivery],
  details: "Shows the payload that was sent, with line breaks and indentation added.",
  examples: [["belfry delivery show dlv_3gMv8JhPq6Ws1YbKt5Xe", "show the result and the payload"]],
  run: async ({ connect, args: [id], out }) => {
    const client = await connect();
    const delivery = await client.notificationDeliveries.get(id);
    out.answer(
      delivery,
      () => `${renderDetails(deliveryDetails(delivery))}\n${JSON.stringify(delivery.payload, null, 2)}\n`,
    );
  },
});
