import { limits } from "@belfry/contract";
import { type ManualClock, patienceMs } from "@belfry/test-kit";
import { setImmediate } from "node:timers/promises";
import type { TestApplication } from "./application.ts";
import type { Json } from "./harness.ts";
import { untilRound } from "./rounds.ts";
import { type Daemon, made2xx } from "./tasks.ts";

let made = 0;

export function makeChannel(daemon: Daemon, endpoint: string, more: object = {}): Promise<Json> {
  const channel = { name: `channel ${++made}`, endpoint, ...more };
  return made2xx(daemon.call("POST", "/v1/notification-channels", channel));
}

export function sendTest(daemon: Daemon, channel: { readonly id: string }): Promise<Json> {
  return made2xx(daemon.call("POST", `/v1/notification-channels/${channel.id}/test`));
}

export function getDelivery(daemon: Daemon, delivery: { readonly id: string }): Promise<Json> {
  return made2xx(daemon.call("GET", `/v1/notification-deliveries/${delivery.id}`));
}

export async function listDeliveries(daemon: Daemon, query = ""): Promise<readonly Json[]> {
  return (await made2xx(daemon.call("GET", `/v1/notification-deliveries?limit=1000&${query}`)))
    .notification_deliveries as Json[];
}

/** Replaces all assignments of a scope: `[channel, on_success, on_failure]` each. */
export function assign(
  daemon: Daemon,
  scope: string,
  wishes: readonly (readonly [channel: { readonly id: string }, onSuccess: boolean, onFailure: boolean])[],
): Promise<Json> {
  const assignments = wishes.map(([{ id }, on_success, on_failure]) => ({ channel_id: id, on_success, on_failure }));
  return made2xx(daemon.call("PUT", `/v1/${scope}/notifications`, { assignments }));
}

export function untilDeliveryEnds(
  daemon: Daemon,
  delivery: { readonly id: string },
  withinMs = patienceMs,
): Promise<Json> {
  return untilRound(daemon, { what: `the end of ${delivery.id}`, withinMs }, async () => {
    const now = await getDelivery(daemon, delivery);
    return now.ended_at === null ? null : now;
  });
}

/** Advances the clock past each pause once the attempt before it has failed. */
export async function endOverPauses(
  daemon: Daemon,
  clock: ManualClock,
  delivery: { readonly id: string },
): Promise<Json> {
  for (const [index, pauseMs] of limits.webhookRetryDelaysMs.entries()) {
    const now = await untilRound(daemon, `attempt ${index + 1} of ${delivery.id}`, async () => {
      const seen = await getDelivery(daemon, delivery);
      const hasFailed = seen.state === "pending" && seen.attempt_count === index + 1;
      return hasFailed || seen.ended_at !== null ? seen : null;
    });
    if (now.ended_at !== null) return now;
    await clock.advance(pauseMs);
  }
  return untilDeliveryEnds(daemon, delivery);
}

/** Ends a delivery that is not sent, as if its receiver had answered. */
export function endDelivery({ inside }: Pick<TestApplication, "inside">, id: string, isDelivered: boolean): void {
  inside.write((unit) => {
    for (let row = inside.deliveries.get(id); row.endedAt === null; row = inside.deliveries.get(id)) {
      const claim = inside.deliveries.claim(unit, row);
      const [kind, status] = isDelivered ? (["delivered", 204] as const) : (["refused", 503] as const);
      inside.deliveries.recordResult(unit, claim, { kind, status, diagnostic: null });
    }
  });
}

export function untilDelivery(
  daemon: Daemon,
  delivery: { readonly id: string },
  members: Readonly<Record<string, unknown>>,
): Promise<Json> {
  return untilRound(daemon, `${delivery.id} is ${JSON.stringify(members)}`, async () => {
    const now = await getDelivery(daemon, delivery);
    return Object.entries(members).every(([name, value]) => now[name] === value) ? now : null;
  });
}

/** Lets sockets and promises progress while the clock is stopped. */
export async function turnEventLoop(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await setImmediate();
}

/** Advances in small steps, with time for real sockets in between, until `isDone`; returns the milliseconds it took. */
export async function advanceUntil(
  clock: ManualClock,
  what: string,
  isDone: () => boolean | Promise<boolean>,
  stepMs = 50,
): Promise<number> {
  const from = clock.now();
  for (let steps = 0; steps < 2_000; steps++) {
    await turnEventLoop();
    if (await isDone()) return clock.now() - from;
    await clock.advance(stepMs);
  }
  throw new Error(`did not come: ${what}`);
}
