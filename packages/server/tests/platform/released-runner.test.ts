import { until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRunners } from "../../src/features/engine/runners/runners.ts";
import { createLog, systemClock } from "../../src/index.ts";
import { identifyRunner } from "../../src/runner/identity.ts";
import { runnerPlaces, runnersFolder } from "../../src/runner/places.ts";
import { readLines, writeLine } from "../../src/runner/protocol/lines.ts";
import { type Order, startVersions } from "../../src/runner/protocol/messages.ts";
import { makePlace, type Place, shell, startRunner } from "../support/processes/runner-process.ts";

/** The runners of a daemon that asks all live ones again after each change, as the daemon does. */
function openRunners({ dataDir }: Place) {
  const events: string[] = [];
  let listed = 0;
  const asking: Promise<boolean>[] = [];
  const runners = createRunners({
    clock: systemClock,
    log: createLog(systemClock, "info", [({ event }) => events.push(event)]),
    dataDir,
    runnerLog: join(dataDir, "runner.log"),
    umask: 0o077,
    openFilesMax: null,
    onReport: () => {},
    onListed: () => void listed++,
    onChanged: () => void asking.push(runners.syncAll()),
  });
  return {
    ...runners,
    events,
    countLists: () => listed,
    asked: () => Promise.all(asking),
    [Symbol.dispose]: () => runners.stop({ hasStarted: false }),
  };
}

/** A runner that lists nothing but these attempts, whose programs it starts, and no longer listens after its connection was closed, but takes long to exit. */
async function startSlowLeaver(dataDir: string, claimed: readonly string[] = []) {
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  const identity = identifyRunner("r0", child.pid!);
  const places = runnerPlaces(dataDir, "r0");
  await mkdir(runnersFolder(dataDir), { recursive: true, mode: 0o700 });
  await writeFile(places.identity, JSON.stringify(identity));
  const left = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    writeLine(socket, { is: "hello", runner: "r0", pid: identity.pid, startVersions });
    readLines(socket, (line) => {
      if ((JSON.parse(line) as Order).do !== "list") return;
      for (const attempt of claimed) writeLine(socket, { is: "claimed", attempt });
      writeLine(socket, { is: "listed" });
    });
    socket.on("error", () => {});
    // the path of the socket goes with it
    socket.once("close", () => server.close(() => left.resolve()));
  });
  const listen = () => new Promise<void>((resolve) => server.listen(places.socket, resolve));
  await listen();
  return {
    identity,
    left: left.promise,
    listenAgain: listen,
    [Symbol.dispose]: () => {
      server.close();
      child.kill("SIGKILL");
    },
  };
}

test("a runner that has nothing to do any more and exits is not reported as one that does not respond", async () => {
  await using place = await makePlace();
  using leaver = await startSlowLeaver(place.dataDir);
  using runners = openRunners(place);
  await runners.start();
  await leaver.left;
  await runners.asked();
  expect(await runners.syncAll()).toBe(true);
  expect(runners.listSilent()).toEqual([]);
  expect(runners.events).not.toContain("runner.unreachable");
});

test("a runner that was released too early is asked again once its claim on an attempt is found", async () => {
  await using place = await makePlace();
  using leaver = await startSlowLeaver(place.dataDir);
  using runners = openRunners(place);
  await runners.start();
  await leaver.left;
  await runners.asked();
  // it cannot be reached at that moment
  await runners.connect(leaver.identity);
  expect(await runners.syncAll()).toBe(false);
  await leaver.listenAgain();
  const before = runners.countLists();
  expect(await runners.syncAll()).toBe(true);
  expect(runners.countLists()).toBe(before + 1);
});

test("a former runner stays connected while it starts a program that it has claimed", async () => {
  await using place = await makePlace();
  using starter = await startSlowLeaver(place.dataDir, ["att_1"]);
  using runners = openRunners(place);
  await runners.start();
  await runners.asked();
  expect(runners.ownerOf("att_1")).not.toBeNull();
  runners.release("att_1");
  await starter.left;
});

test("a former runner that only background processes keep is asked for its attempts once", async () => {
  await using place = await makePlace();
  await using former = await startRunner(place);
  const daemon = await former.connect();
  daemon.start("att_1", shell(place, "att_1", "sleep 600 & exit 0"));
  await daemon.end("att_1");
  await daemon.forget("att_1");
  daemon.close();
  using runners = openRunners(place);
  await runners.start();
  await until("the former one has listed", () => runners.countLists() > 0);
  for (let round = 0; round < 20; round++) await runners.syncAll();
  await runners.asked();
  expect(former.child.exitCode).toBeNull();
  expect(runners.countLists()).toBe(1);
  expect(runners.listSilent()).toEqual([]);
});
