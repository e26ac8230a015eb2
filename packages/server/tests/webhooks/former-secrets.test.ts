import { ManualClock, until } from "@belfry/test-kit";
import { isWebhookParseError, parseWebhook } from "@belfry/webhook-schema";
import { expect, test } from "vitest";
import { bytesOnDisk, query } from "../support/api.ts";
import { type TestApplication, openTestApplication } from "../support/application.ts";
import { makeChannel, sendTest, untilDeliveryEnds } from "../support/channels.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const hourMs = 3_600_000;
const secretOf = (name: string): string => `whsec_${Buffer.alloc(24, name).toString("base64")}`;

/** A channel signed with the secret `a`, and functions to rotate it and to see which secrets sign. */
async function openSigned(app: TestApplication, clock: ManualClock, receiver: Receiver) {
  const { id } = await makeChannel(app, receiver.url, { signing_secret: secretOf("a") });
  return {
    rotate: (name: string | null) =>
      app.call("POST", `/v1/notification-channels/${id}/rotate`, {
        signing_secret: name === null ? null : secretOf(name),
      }),
    remove: () => app.call("DELETE", `/v1/notification-channels/${id}`),
    /** The secrets that sign a request now, among all that exist, and the number of its signatures. */
    signers: async (): Promise<readonly [names: string, signatures: number]> => {
      await untilDeliveryEnds(app, await sendTest(app, { id }));
      const { headers, body } = receiver.requests.at(-1)!;
      const signs = async (name: string): Promise<boolean> => {
        const options = { secret: secretOf(name), now: clock.now() };
        return !isWebhookParseError(await parseWebhook(headers, body, options).catch((error: unknown) => error));
      };
      const names = await Promise.all(["a", "b", "c", "d"].map(async (name) => ((await signs(name)) ? name : "")));
      return [names.join(""), headers["webhook-signature"]?.toString().split(" ").length ?? 0];
    },
  };
}

async function openAll() {
  const clock = new ManualClock(new Date().toISOString());
  const receiver = await startReceiver();
  const app = await openTestApplication({ clock, canDeliver: true });
  return {
    clock,
    app,
    channel: await openSigned(app, clock, receiver),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await app[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

function sealedFormer(app: TestApplication): readonly Buffer[] {
  return query<{ sealed: Buffer }>(
    app,
    "SELECT secret_sealed AS sealed FROM notification_former_secrets ORDER BY number",
  ).map(({ sealed }) => sealed);
}

test("a second rotation within 24 hours keeps both former secrets, each for the rest of its own 24 hours", async () => {
  await using all = await openAll();
  const { clock, channel } = all;
  await channel.rotate("b");
  clock.jump(10 * hourMs);
  await channel.rotate("c");
  expect(await channel.signers()).toEqual(["abc", 3]);
  clock.jump(14 * hourMs - 1);
  expect(await channel.signers()).toEqual(["abc", 3]);
  clock.jump(1);
  expect(await channel.signers()).toEqual(["bc", 2]);
  clock.jump(10 * hourMs);
  expect(await channel.signers()).toEqual(["c", 1]);
});

test("a third rotation within 24 hours drops the oldest: two former secrets sign at most", async () => {
  await using all = await openAll();
  const { channel } = all;
  for (const name of ["b", "c", "d"]) await channel.rotate(name);
  expect(await channel.signers()).toEqual(["bcd", 3]);
});

test("clearing the signing secret drops the former secrets too, and a new secret does not restore them", async () => {
  await using all = await openAll();
  const { app, channel } = all;
  for (const name of ["b", "c"]) await channel.rotate(name);
  expect((await channel.rotate(null)).json.has_signing_secret).toBe(false);
  expect(await channel.signers()).toEqual(["", 0]);
  expect(sealedFormer(app)).toEqual([]);
  await channel.rotate("d");
  expect(await channel.signers()).toEqual(["d", 1]);
});

test("a former secret that becomes the current one again signs once", async () => {
  await using all = await openAll();
  const { channel } = all;
  for (const name of ["b", "a"]) await channel.rotate(name);
  expect(await channel.signers()).toEqual(["ab", 2]);
});

test("a former secret is gone from database and log when it expires, when another replaces it, and with its channel", async () => {
  await using all = await openAll();
  const { clock, app, channel } = all;
  const isOnDisk = (sealed: Buffer): boolean => bytesOnDisk(app.dataDir).includes(sealed);
  for (const name of ["b", "c"]) await channel.rotate(name);
  const [a, b] = sealedFormer(app);
  await channel.rotate("d");
  await clock.advance(1_000);
  expect([isOnDisk(a!), isOnDisk(b!)]).toEqual([false, true]);
  app.inside.housekeeping.start();
  clock.jump(24 * hourMs - 1_000);
  await until("its erasure", async () => {
    await clock.advance(60_000);
    return !isOnDisk(b!);
  });
  await app.inside.housekeeping.stop();
  await channel.rotate("a");
  const [d] = sealedFormer(app);
  await channel.remove();
  await clock.advance(1_000);
  expect(isOnDisk(d!)).toBe(false);
});
