import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { openTestApplication } from "../support/application.ts";
import { openStream } from "../support/stream.ts";
import { type Json, startDaemon } from "../support/harness.ts";
import { endOverPauses, endDelivery, makeChannel, sendTest } from "../support/channels.ts";
import { answerWith, startReceiver } from "../support/receiver.ts";

const path = "/v1/notification-channels";
const nowhere = "http://127.0.0.1:9/";
const begin = Date.parse("2026-11-21T01:00:00Z");
const minuteMs = 60_000;

/** A channel whose deliveries end as the test specifies, a minute apart: `good`, `bad`. */
async function openFailing() {
  const clock = new ManualClock("2026-11-21T01:00:00Z");
  const app = await openTestApplication({ clock });
  const channel = await makeChannel(app, nowhere);
  const read = async (): Promise<Json> => (await app.call("GET", `${path}/${channel.id}`)).json;
  return {
    app,
    clock,
    channel,
    read,
    end: async (...ends: readonly ("good" | "bad")[]): Promise<readonly [since: number | null, failures: number]> => {
      for (const how of ends) {
        const { id } = await sendTest(app, channel);
        clock.jump(minuteMs);
        endDelivery(app, id, how === "good");
      }
      const { failing_since: since, consecutive_failures: failures } = await read();
      return [since === null ? null : (Date.parse(since) - begin) / minuteMs, failures];
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

test("a channel counts its consecutive failed deliveries, and since when; one success resets both", async () => {
  await using failing = await openFailing();
  const { end } = failing;
  expect(await end()).toEqual([null, 0]);
  expect(await end("good")).toEqual([null, 0]);
  expect(await end("bad")).toEqual([2, 1]);
  expect(await end("bad", "bad")).toEqual([2, 3]);
  expect(await end("good")).toEqual([null, 0]);
  expect(await end("bad")).toEqual([6, 1]);
});

test("a delivery that will be retried does not count as failed yet", async () => {
  await using failing = await openFailing();
  const { app, channel, read } = failing;
  const { id } = await sendTest(app, channel);
  app.inside.write((unit) => {
    const claim = app.inside.deliveries.claim(unit, app.inside.deliveries.get(id));
    app.inside.deliveries.recordResult(unit, claim, { kind: "refused", status: 503, diagnostic: null });
  });
  expect(await read()).toMatchObject({ failing_since: null, consecutive_failures: 0 });
});

test("failures raise neither the revision nor updated_at, and a change of the channel does not reset them", async () => {
  await using failing = await openFailing();
  const { app, channel, end, read } = failing;
  await end("bad", "bad");
  expect(await read()).toEqual({ ...channel, failing_since: "2026-11-21T01:01:00.000Z", consecutive_failures: 2 });
  const renamed = await app.call("PATCH", `${path}/${channel.id}`, { name: "renamed" }, { "if-match": '"1"' });
  expect(renamed.json).toMatchObject({ revision: 2, consecutive_failures: 2 });
  const list = (await app.call("GET", path)).json.notification_channels;
  expect(list).toEqual([renamed.json]);
});

test.each(["failing_since", "consecutive_failures"])("%s is read-only", async (member) => {
  await using failing = await openFailing();
  const { app, channel } = failing;
  const answer = await app.call("PATCH", `${path}/${channel.id}`, { [member]: null });
  expect([answer.status, answer.json.error.field]).toEqual([400, member]);
});

test("a failing channel does not affect another channel, and can be deleted", async () => {
  await using failing = await openFailing();
  const { app, channel, end, read } = failing;
  const other = await makeChannel(app, nowhere);
  const { id } = await sendTest(app, other);
  await end("bad");
  endDelivery(app, id, true);
  expect(await read()).toMatchObject({ consecutive_failures: 1 });
  expect((await app.call("DELETE", `${path}/${channel.id}`)).status).toBe(204);
});

test("an event is published when a channel begins to fail and when it delivers again, and none in between", async () => {
  await using receiver = await startReceiver({ behave: answerWith(500) });
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const channel = await makeChannel(daemon, receiver.url);
  await using stream = await openStream(daemon.socketPath, "/v1/events?kinds=notification_channel");
  const states = ["failed", "failed", "succeeded", "succeeded"];
  for (const state of states) {
    if (state === "succeeded") receiver.behave(answerWith(204));
    const sent = await sendTest(daemon, channel);
    expect(await endOverPauses(daemon, clock, sent)).toMatchObject({ state });
  }
  await daemon.call("DELETE", `${path}/${channel.id}`);
  const events = () => stream.frames.slice(1).map(({ data }) => data);
  await stream.until("the last event", () => events().some(({ verb }) => verb === "deleted"));
  const now = (failures: number) => ({ consecutive_failures: failures, revision: 1 });
  expect(events()).toMatchObject([
    { verb: "updated", notification_channel: { ...now(1), failing_since: expect.any(String) } },
    { verb: "updated", notification_channel: { ...now(0), failing_since: null } },
    { verb: "deleted" },
  ]);
});
