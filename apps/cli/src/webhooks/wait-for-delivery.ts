import type { Client, NotificationDelivery } from "@belfry/client";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import type { Output } from "../output/output.ts";
import { pause } from "../pause.ts";

/** Waits for its end and tells of it; the exit code is 1 where it was not delivered. */
export async function waitForDelivery(client: Client, sent: NotificationDelivery, out: Output): Promise<ExitCode> {
  let now = sent;
  using _ = out.progress(() => `attempt ${Math.max(1, now.attempt_count)} of 3 ...`);
  while (now.ended_at === null) {
    await pause(200);
    now = await client.notificationDeliveries.get(sent.id);
  }
  out.answer(now, () => describeOutcome(now));
  return now.state === "succeeded" ? exitCodes.ok : exitCodes.failed;
}

function describeOutcome(delivery: NotificationDelivery): string {
  const tries = delivery.attempt_count === 1 ? "" : ` after ${delivery.attempt_count} attempts`;
  if (delivery.state === "succeeded") return `Delivered${tries}: the receiver answered ${delivery.last_status}`;
  return `Not delivered${tries}: ${delivery.diagnostic ?? "no reason was recorded"} (${delivery.id})`;
}
