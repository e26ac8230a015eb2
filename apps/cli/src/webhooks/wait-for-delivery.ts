import type { NotificationDelivery } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import { listHolds } from "../find/hold.ts";
import type { Output } from "../output/output.ts";
import { pause } from "../pause.ts";
import { holdHint } from "../views/hold.ts";

/** Waits until a delivery has finished and reports the result. The exit code is 1 if it was not delivered. */
export async function waitForDelivery(client: AnyClient, sent: NotificationDelivery, out: Output): Promise<ExitCode> {
  await requireSending(client, sent);
  let current = sent;
  using _ = out.progress(() => `Delivery attempt ${Math.max(1, current.attempt_count)} of 3`);
  while (current.ended_at === null) {
    await pause(200);
    current = await client.notificationDeliveries.get(sent.id);
  }
  out.answer(current, () => describeOutcome(current));
  return current.state === "succeeded" ? exitCodes.ok : exitCodes.failed;
}

/** A daemon with restored or moved data sends nothing until its release, so a wait would have no end. */
async function requireSending(client: AnyClient, sent: NotificationDelivery): Promise<void> {
  const hold = (await listHolds(client)).find(({ cause }) => cause !== "requested");
  if (hold === undefined) return;
  throw new Failure(exitCodes.failed, `the delivery waits for the release of the hold (${sent.id})`, {
    hint: holdHint(hold),
  });
}

function describeOutcome(delivery: NotificationDelivery): string {
  const attempts = delivery.attempt_count === 1 ? "" : ` after ${delivery.attempt_count} attempts`;
  if (delivery.state === "succeeded")
    return `Delivered${attempts}: the receiver responded with ${delivery.last_status}`;
  return `Not delivered${attempts}: ${delivery.diagnostic ?? "no reason was recorded"} (${delivery.id})`;
}
