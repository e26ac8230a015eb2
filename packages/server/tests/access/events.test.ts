import { ManualClock, tempDir } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { builtInActor, makeActor, makeGroup, query } from "../support/api.ts";
import { callerOf, makeCaller } from "../support/callers.ts";
import { startDaemon } from "../support/harness.ts";
import { openSocket } from "../support/open-socket.ts";
import { openStream } from "../support/stream.ts";

test("subscribers with enroll get an event for each change of an actor and its credentials, without secrets", async () => {
  await using opened = await openSocket();
  const { app, path } = opened;
  await using stream = await openStream(path, "/v1/events?kinds=actor");
  await stream.next();
  const next = async () => (await stream.next()).data;
  const actor = await makeActor(app, { name: "Board" });
  expect(await next()).toEqual({ kind: "actor", verb: "created", id: actor.id, actor });
  const { token, credentialId } = callerOf(app, actor);
  expect(await next()).toMatchObject({ verb: "updated", id: actor.id });
  const { json: changed } = await app.call("PATCH", `/v1/access/actors/${actor.id}`, { capability: "observe" });
  expect(await next()).toEqual({ kind: "actor", verb: "updated", id: actor.id, actor: changed });
  await app.call("POST", `/v1/access/credentials/${credentialId}/revoke`);
  expect(await next()).toMatchObject({ verb: "updated", id: actor.id });
  await app.call("POST", `/v1/access/actors/${actor.id}/revoke`);
  expect(await next()).toMatchObject({ verb: "updated", actor: { state: "revoked" } });
  expect(JSON.stringify(stream.frames)).not.toContain(token.slice(4, 12));
});

test.each(["observe", "operate", "manage"] as const)(
  "a subscriber with %s gets no event of an actor, even if it asks for the kind",
  async (capability) => {
    await using opened = await openSocket();
    const { app, path } = opened;
    const { headers } = await makeCaller(app, { capability });
    await using all = await openStream(path, "/v1/events", headers);
    await using some = await openStream(path, "/v1/events?kinds=actor,group", headers);
    await using only = await openStream(path, "/v1/events?kinds=actor", headers);
    await makeActor(app);
    const group = await makeGroup(app);
    for (const stream of [all, some]) {
      expect((await stream.next()).event).toBe("hello");
      expect((await stream.next()).data).toMatchObject({ kind: "group", id: group.id });
      // the numbers show no gap
      expect(stream.frames.map(({ id }) => id?.split("-").at(-1))).toEqual(["0", "1"]);
    }
    expect(only.frames.map(({ event }) => event)).toEqual(["hello"]);
  },
);

test("an expiry has an event, and a daemon that stops writes when its actor was last seen", async () => {
  const clock = new ManualClock();
  await using dir = await tempDir("bf-");
  await using daemon = await startDaemon({ clock, dataDir: dir.path });
  const { id } = await makeActor(daemon, { expires_at: new Date(clock.now() + 5_000).toISOString() });
  await using stream = await openStream(daemon.socketPath, "/v1/events?kinds=actor");
  await stream.next();
  await clock.advance(5_000);
  expect((await stream.next()).data).toMatchObject({ kind: "actor", verb: "updated", id, actor: { state: "expired" } });

  const { json: local } = await daemon.call("GET", `/v1/access/actors/${(await builtInActor(daemon)).id}`);
  expect(local).toMatchObject({ last_seen_at: new Date(clock.now()).toISOString(), revision: 1 });
  await daemon.stop();
  expect(query(daemon, "SELECT last_seen_at FROM actors WHERE built_in = 1")).toEqual([{ last_seen_at: clock.now() }]);
});
