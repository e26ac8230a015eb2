import { ManualClock, until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { openResolverOf, startNameServer } from "../../../../tests/support/name-server.ts";
import { createNameServers } from "./name-servers.ts";

const known = () => ["10.0.0.7"];

test("the answer of an occasionally slow name server counts, however fast it was before", async () => {
  await using server = await startNameServer(known, (name) => (name.startsWith("slow") ? 2_500 : 0));
  const names = createNameServers({ clock: new ManualClock(), servers: [server.address] });
  for (let count = 0; count < 10; count++) await names.ask(`quick${count}.example`);
  expect(await names.ask("slow.example")).toEqual(["10.0.0.7"]);
  names.close();
});

test("a silent name server is asked again after 1.5 s, at most twice, because packets get lost", async () => {
  const clock = new ManualClock();
  await using server = await startNameServer(known, (name, _family, nth) =>
    name.startsWith("lost") && nth === 1 ? null : name.startsWith("silent") ? null : 0,
  );
  const names = createNameServers({ clock, servers: [server.address] });
  const found = names.ask("lost.example");
  await until("the question", () => server.asked.length === 1);
  await clock.advance(1_500);
  expect(await found).toEqual(["10.0.0.7"]);
  const none = names.ask("silent.example").catch((error: { readonly code: string }) => error.code);
  for (let asks = 1; asks <= 3; asks++) {
    await until("the question", () => server.asked.length === 2 + asks);
    await clock.advance(1_500);
  }
  await clock.advance(10_000);
  expect(server.asked).toHaveLength(5);
  names.close();
  expect(await none).toBe("ECANCELLED");
  expect(clock.pendingTimers).toBe(0);
});

test("after a failure or silence of a name server the next is asked, and a late answer still counts", async () => {
  const clock = new ManualClock();
  await using silent = await startNameServer(known, (name) => (name.startsWith("late") ? 300 : null));
  await using second = await startNameServer(
    () => ["10.0.0.8"],
    (name) => (name.startsWith("late") ? null : 0),
  );
  const failing = createNameServers({ clock, servers: ["127.0.0.1:9", second.address] });
  expect(await failing.ask("a.example")).toEqual(["10.0.0.8"]);
  const names = createNameServers({ clock, servers: [silent.address, second.address] });
  const found = names.ask("a.example");
  await until("the question", () => silent.asked.length === 1);
  await clock.advance(1_500);
  expect(await found).toEqual(["10.0.0.8"]);
  const late = names.ask("late.example");
  await until("the question", () => silent.asked.length === 2);
  await clock.advance(1_500);
  expect(await late).toEqual(["10.0.0.7"]);
  names.close();
  failing.close();
});

test("the addresses of one family are used if the name server is silent about the other", async () => {
  const clock = new ManualClock();
  await using server = await startNameServer(known, (_name, family) => (family === 4 ? 0 : null));
  const names = createNameServers({ clock, servers: [server.address] });
  let found: readonly string[] = [];
  void names.ask("a.example").then((addresses) => (found = addresses));
  await until("the timer", () => clock.pendingTimers > 1);
  await clock.advance(500);
  expect(found).toEqual(["10.0.0.7"]);
  names.close();
});

test("an unknown name fails without a wait for the other servers", async () => {
  await using server = await startNameServer(() => []);
  const names = createNameServers({ clock: new ManualClock(), servers: [server.address, "127.0.0.1:9"] });
  await expect(names.ask("a.example")).rejects.toMatchObject({ code: "ENOTFOUND" });
  names.close();
});

test("the system's current name servers are used, because the machine may change networks", async () => {
  await using server = await startNameServer(known);
  let current = ["127.0.0.1:9"];
  const openResolver = openResolverOf(() => current);
  const names = createNameServers({ clock: new ManualClock(), servers: null, openResolver });
  await expect(names.ask("a.example")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  current = [server.address];
  expect(await names.ask("a.example")).toEqual(["10.0.0.7"]);
  current = ["127.0.0.1:9", server.address];
  expect(await names.ask("a.example")).toEqual(["10.0.0.7"]);
  names.close();
});
