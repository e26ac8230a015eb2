import { createClient, isConnectionError, isUncertainOutcomeError } from "@belfry/client";
import { until } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { type RemoteMachine, newRemote } from "../../../cli/tests/machine.ts";
import { accessToken, phrase } from "../../../../packages/client/tests/fake-remote-daemon.ts";
import { startDaemon } from "../../../../packages/server/tests/support/harness.ts";
import { type Shell, ShellError } from "../../src/shell/shell.ts";

/** One shell on a machine of its own, whose daemon has this socket. */
export interface ShellWorld extends AsyncDisposable {
  readonly shell: Shell;
  /** The shell of the same window after it was loaded again. */
  readonly reload: () => Promise<Shell>;
  /** A shell in another window. */
  readonly openWindow: () => Promise<Shell>;
  /** The addresses that were opened elsewhere. */
  readonly opened: readonly string[];
  /** Everything that the page can read and the shell has kept in it. */
  readonly visible: () => string;
}

export interface WorldOptions {
  /** The socket of the daemon on the shell's machine; by default, no daemon runs there. */
  readonly socket?: string;
}

/** What every shell guarantees. */
export function describeShell(name: string, start: (options?: WorldOptions) => Promise<ShellWorld>): void {
  describe(`${name}: profiles`, () => {
    test("the daemon of the shell's machine comes first and is selected", async () => {
      await using world = await start({ socket: "/nowhere/belfry.sock" });
      expect(await world.shell.profiles()).toEqual([{ name: "local", kind: "local", socket: "/nowhere/belfry.sock" }]);
      expect(world.shell.selected()).toBe("local");
      expect(await world.shell.about()).toEqual({ version: expect.any(String), host: expect.any(String) });
    });

    test("an enrolment makes a profile, and its token never reaches the page", async () => {
      await using world = await start();
      await using remote = await newRemote();
      const profile = await world.shell.enrol({ invitation: remote.invitation, phrase, name: "build" });
      expect(profile).toEqual({
        name: "build",
        kind: "remote",
        addresses: [remote.daemon.address],
        installation_id: expect.any(String),
        trust: { kind: "root", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
        capability: "operate",
        credential_id: "crd_1",
        actor_id: "act_1",
        store: expect.stringMatching(/^(?:file|keychain)$/),
      });
      const all = await world.shell.profiles();
      expect(all.map((one) => one.name)).toEqual(["local", "build"]);
      expect(JSON.stringify(all) + world.visible()).not.toMatch(new RegExp(`${accessToken}|${phrase}`));
      expect(await world.shell.remove("build")).toEqual({ credentialId: "crd_1" });
      expect(await world.shell.profiles()).toHaveLength(1);
    });

    test("an enrolment that is refused says why, and keeps nothing", async () => {
      await using world = await start();
      await using remote = await newRemote(({ path }) =>
        path === "/enroll"
          ? { status: 401, json: { error: { code: "unauthorized", field: null, message: "the phrase is wrong" } } }
          : null,
      );
      const refused = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);
      const wrong = await refused(world.shell.enrol({ invitation: remote.invitation, phrase: "a-b-c" }));
      expect(wrong).toBeInstanceOf(ShellError);
      expect(wrong).toMatchObject({ code: "unauthorized", message: expect.stringContaining("phrase") });
      expect(await refused(world.shell.enrol({ invitation: "bfi1.half", phrase }))).toMatchObject({
        message: expect.stringContaining("not complete"),
      });
      expect(await refused(world.shell.select("build"))).toMatchObject({ code: "not_found" });
      expect(await refused(world.shell.select("../build"))).toBeInstanceOf(ShellError);
      expect(await world.shell.profiles()).toHaveLength(1);
    });

    test("a window keeps its profile when it is loaded again, and others keep theirs", async () => {
      await using world = await start();
      await using remote = await enrolled(world, "build");
      expect(remote.seen.length).toBeGreaterThan(0);
      const other = await world.openWindow();
      expect(await world.shell.select("build")).toMatchObject({ name: "build" });
      expect([world.shell.selected(), other.selected()]).toEqual(["build", "local"]);
      expect((await world.reload()).selected()).toBe("build");
    });
  });

  describe(`${name}: calls`, () => {
    test("the SDK works over it: calls, events and output", async () => {
      await using daemon = await startDaemon();
      await using world = await start({ socket: daemon.socketPath });
      const client = createClient({ transport: world.shell.daemon("local") });
      const task = await client.tasks.create({ name: "Page", command: { kind: "shell", script: "echo hello" } });
      const events = client.events.subscribe({ kinds: ["run"] });
      await events.next();
      const run = await client.tasks.runAndWait(task.id);
      expect((await events.next()).value).toMatchObject({ kind: "run", id: run.id });
      await events.return();
      expect(await client.runs.outputText(run.id)).toBe("hello\n");
      await expect(client.tasks.get("tsk_none")).rejects.toMatchObject({ code: "not_found", status: 404 });
      await expect(client.tasks.update(task.id, { name: "P" }, { ifMatch: 9 })).rejects.toMatchObject({ status: 412 });
    });

    test("a daemon that does not run is unreachable, and a change was not sent", async () => {
      await using world = await start();
      const client = createClient({ transport: world.shell.daemon("local"), retries: 0 });
      for (const call of [() => client.tasks.list(), () => client.tasks.delete("tsk_1")]) {
        const error: unknown = await call().catch((thrown: unknown) => thrown);
        expect(isConnectionError(error)).toBe(true);
        expect(error).toMatchObject({ message: expect.stringContaining("The daemon is not running") });
      }
    });

    test("a change whose answer is lost is uncertain, and is not sent again", async () => {
      await using world = await start();
      await using remote = await enrolled(world, "build", ({ method }) =>
        method === "DELETE" ? (response) => void response.destroy() : null,
      );
      const client = createClient({ transport: world.shell.daemon("build"), retries: 0 });
      const error: unknown = await client.tasks.delete("tsk_1").catch((thrown: unknown) => thrown);
      expect(isUncertainOutcomeError(error)).toBe(true);
      expect(remote.seen.filter(({ method }) => method === "DELETE")).toHaveLength(1);
    });

    test("a transport stays with its profile, whatever is selected", async () => {
      await using daemon = await startDaemon();
      await using world = await start({ socket: daemon.socketPath });
      await using remote = await enrolled(world, "build");
      const local = createClient({ transport: world.shell.daemon("local") });
      await world.shell.select("build");
      expect((await local.tasks.create({ name: "Here" })).name).toBe("Here");
      expect(remote.seen.some(({ method }) => method === "POST")).toBe(true);
      expect(remote.seen.filter(({ path }) => path === "/tasks")).toEqual([]);
    });

    test("the reader of a stream ends it at the daemon", async () => {
      await using world = await start();
      await using remote = await enrolled(world, "build", ({ path }) =>
        path.startsWith("/runs/")
          ? (response) => void response.writeHead(200, { "content-type": "text/plain" }).write("first")
          : null,
      );
      const { baseUrl, fetch } = world.shell.daemon("build");
      const answer = await fetch(
        new Request(`${baseUrl}/v1/runs/run_1/output?follow=true`, { headers: { accept: "text/plain" } }),
      );
      const reader = answer.body!.getReader();
      expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("first");
      const before = remote.openConnections();
      await reader.cancel();
      await until("the end of the stream", () => remote.openConnections() < before);
    });
  });

  describe(`${name}: the rest`, () => {
    test("a value is kept for the user until it is forgotten, and a large one is refused", async () => {
      await using world = await start();
      expect(await world.shell.recall()).toEqual({});
      await world.shell.remember("theme", "dark");
      await world.shell.remember("last-visit", { at: "2026-11-21T01:18:00Z" });
      const again = await world.reload();
      expect(await again.recall()).toEqual({ theme: "dark", "last-visit": { at: "2026-11-21T01:18:00Z" } });
      await again.forget("theme");
      expect(await again.recall()).toEqual({ "last-visit": { at: "2026-11-21T01:18:00Z" } });
      await again.forget("theme");
      await expect(again.remember("huge", "x".repeat(20_000))).rejects.toBeInstanceOf(ShellError);
      await expect(again.remember("../theme", "dark")).rejects.toBeInstanceOf(ShellError);
    });

    test("a window keeps its own value when it is loaded again, and others have none", async () => {
      await using world = await start();
      expect(world.shell.recallHere()).toBe(null);
      world.shell.rememberHere({ local: 1 });
      expect((await world.reload()).recallHere()).toEqual({ local: 1 });
      expect((await world.openWindow()).recallHere()).toBe(null);
    });

    test.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "vbscript:x", "belfry", ""])(
      "the link %j is not opened",
      async (address) => {
        await using world = await start();
        expect(world.shell.openLink(address)).toBe(false);
        expect(world.opened).toEqual([]);
      },
    );

    test("a link of the web is opened elsewhere", async () => {
      await using world = await start();
      expect(world.shell.openLink("https://example.org/runbook")).toBe(true);
      expect(world.opened).toEqual(["https://example.org/runbook"]);
    });

    test("after it was closed, nothing works, and streams have ended", async () => {
      await using daemon = await startDaemon();
      await using world = await start({ socket: daemon.socketPath });
      const { baseUrl, fetch } = world.shell.daemon("local");
      const events = await fetch(new Request(`${baseUrl}/v1/events`, { headers: { accept: "text/event-stream" } }));
      const reader = events.body!.getReader();
      await reader.read();
      const ends: string[] = [];
      world.shell.onEnd(({ code }) => ends.push(code));
      await world.shell.close();
      await expect(drain(reader)).rejects.toBeDefined();
      expect(ends).toEqual(["closed"]);
      await expect(world.shell.profiles()).rejects.toBeInstanceOf(ShellError);
      await expect(fetch(new Request(`${baseUrl}/v1/tasks`))).rejects.toBeDefined();
    });
  });
}

async function enrolled(world: ShellWorld, name: string, answer?: Parameters<typeof newRemote>[0]) {
  const remote: RemoteMachine = await newRemote(answer);
  await world.shell.enrol({ invitation: remote.invitation, phrase, name });
  await world.shell.daemon(name).fetch(new Request(`${world.shell.daemon(name).baseUrl}/v1/health`));
  return Object.assign(remote.daemon, { [Symbol.asyncDispose]: () => remote[Symbol.asyncDispose]() });
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}
