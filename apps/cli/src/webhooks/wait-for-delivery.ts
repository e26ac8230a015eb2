import type { NotificationDelivery } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import type { Output } from "../output/output.ts";
import { pause } from "../pause.ts";

/** Waits until a delivery has finished and reports the result. The exit code is 1 if it was not delivered. */
export async function waitForDelivery(client: AnyClient, sent: NotificationDelivery, out: Output): Promise<ExitCode> {
  let current = sent;
  using _ = out.progress(() => `Delivery attempt ${Math.max(1, current.attempt_count)} of 3`);
  while (current.ended_at === null) {
    await pause(200);
    current = await client.notificationDeliveries.get(sent.id);
  }
  out.answer(current, () => describeOutcome(current));
  return current.state === "succeeded" ? exitCodes.ok : exitCodes.failed;
}

function describeOutcome(delivery: NotificationDelivery): string {
  const attempts = delivery.attempt_count === 1 ? "" : ` after ${delivery.attempt_count} attempts`;
  if (delivery.state === "succeeded")
    return `Delivered${attempts}: the receiver responded with ${delivery.last_status}`;
  return `Not delivered${attempts}: ${delivery.diagnostic ?? "no reason was recorded"} (${delivery.id})`;
}
