import { createClient, isConnectionError } from "@belfry/client";
import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { phrase } from "../../../../packages/client/tests/fake-remote-daemon.ts";
import { newRemote } from "../../../cli/tests/machine.ts";
import { startUi } from "../../../cli/tests/ui/start-ui.ts";
import { profileKey } from "../../src/shell/browser-names.ts";
import { type BrowserPage, heldNames, type PageChannel } from "../../src/shell/browser-page.ts";
import { openBrowserShell } from "../../src/shell/browser-shell.ts";
import { ShellError } from "../../src/shell/shell.ts";
import { describeShell, type ShellWorld } from "./any-shell.ts";

/** A tab of a browser that was opened on this address. */
function openTab(address: string) {
  let url = new URL(address);
  const values = new Map<string, string>();
  const opened: string[] = [];
  const channels: PageChannel[] = [];
  const uses = new Set<() => void>();
  const { hold, countHolders } = heldNames(navigator);
  const held: (() => void)[] = [];
  const page: BrowserPage = {
    get location() {
      return url;
    },
    history: { replaceState: (_data, _unused, to) => void (url = new URL(to, url)) },
    sessionStorage: {
      getItem: (name) => values.get(name) ?? null,
      setItem: (name, value) => void values.set(name, value),
      removeItem: (name) => void values.delete(name),
    },
    fetch: (input, init) => fetch(input, init),
    open: (to) => opened.push(to),
    isHidden: () => false,
    onVisibility: () => () => {},
    openChannel: (name) => {
      const channel = new BroadcastChannel(name);
      channel.unref();
      channels.push(channel as unknown as PageChannel);
      return channels.at(-1)!;
    },
    hold: (name) => {
      held.push(hold(name));
      return held.at(-1)!;
    },
    countHolders,
    onUse: (listener) => {
      uses.add(listener);
      return () => uses.delete(listener);
    },
  };
  /** A person clicks in the tab, later than anything before. */
  const use = async () => {
    const before = Date.now();
    await until("a later time", () => Date.now() > before);
    for (const listener of uses) listener();
  };
  const close = () => {
    for (const channel of channels) channel.close();
    for (const release of held) release();
  };
  return { page, opened, values, use, address: () => url.href, close };
}

describeShell("the browser's shell", async ({ socket } = {}): Promise<ShellWorld> => {
  const ui = await startUi(socket === undefined ? {} : { socket });
  const tab = openTab(ui.newAddress());
  return {
    shell: await openBrowserShell(tab.page),
    reload: () => openBrowserShell(tab.page),
    openWindow: () => openBrowserShell(openTab(ui.newAddress()).page),
    opened: tab.opened,
    visible: () => JSON.stringify([...tab.values]) + tab.address(),
    [Symbol.asyncDispose]: () => ui[Symbol.asyncDispose](),
  };
});

test("the launch token leaves the address before anything is sent, and the query stays", async () => {
  await using ui = await startUi();
  const tab = openTab(ui.newAddress().replace("/#", "/tasks?state=failed#"));
  const seen: string[] = [];
  const watched = {
    ...tab.page,
    location: tab.page.location,
    fetch: (input: string | Request, init?: RequestInit) => {
      seen.push(tab.address());
      return fetch(input, init);
    },
  };
  await openBrowserShell(watched);
  expect(seen[0]).toBe(`${ui.origin}/tasks?state=failed`);
});

test("a token that was used before ends the session that it made", async () => {
  await using ui = await startUi();
  const address = ui.newAddress();
  const first = openTab(address);
  const shell = await openBrowserShell(first.page);
  const ends: ShellError[] = [];
  shell.onEnd((reason) => ends.push(reason));
  await expect(openBrowserShell(openTab(address).page)).rejects.toMatchObject({ code: "session_ended" });
  await expect(shell.profiles()).rejects.toMatchObject({ code: "session_ended", hint: expect.stringMatching(/Enter/) });
  expect(ends).toHaveLength(1);
  expect([...first.values]).toEqual([]);
});

test("a tab without a session says what to do", async () => {
  await using ui = await startUi();
  await expect(openBrowserShell(openTab(ui.origin).page)).rejects.toMatchObject({
    code: "session_ended",
    hint: expect.stringMatching(/belfry ui/),
  });
});

test("a further tab gets the session of the first, while that one is open", async () => {
  await using ui = await startUi();
  const first = openTab(ui.newAddress());
  const shell = await openBrowserShell(first.page);
  const second = openTab(`${ui.origin}/#/tasks?state=failed`);
  const other = await openBrowserShell(second.page);
  expect(await other.profiles()).toEqual(await shell.profiles());
  expect(second.address()).toBe(`${ui.origin}/#/tasks?state=failed`);
  first.close();
  second.close();
  await until("no other tab", async () => (await first.page.countHolders(`belfry-session ${ui.origin}`)) === 0);
  await expect(openBrowserShell(openTab(ui.origin).page)).rejects.toMatchObject({ code: "session_ended" });
});

/** Two tabs on one `belfry ui`: `local` shows the daemon of the machine, `build` another one. */
async function twoDaemons() {
  await using stack = new AsyncDisposableStack();
  const ui = stack.use(await startUi());
  const remote = stack.use(await newRemote());
  const open = async () => {
    const tab = openTab(ui.newAddress());
    stack.defer(() => tab.close());
    return { tab, shell: await openBrowserShell(tab.page) };
  };
  const local = await open();
  const build = await open();
  await build.shell.enrol({ invitation: remote.invitation, phrase, name: "build" });
  await build.shell.select("build");
  const kept = stack.move();
  /** A tab that is opened from the one that was used last. */
  const openFurther = () => {
    const tab = openTab(`${ui.origin}/#/runs/run_1`);
    kept.defer(() => tab.close());
    return tab;
  };
  return { ui, local, build, openFurther, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

test("a further tab shows the daemon of the tab that was used last, also when it is loaded again", async () => {
  await using world = await twoDaemons();
  const { local, build, openFurther } = world;
  await build.tab.use();
  const third = openFurther();
  expect((await openBrowserShell(third.page)).selected()).toBe("build");
  await local.tab.use();
  expect((await openBrowserShell(openFurther().page)).selected()).toBe("local");
  expect((await openBrowserShell(third.page)).selected()).toBe("build");
  await third.use();
  expect((await openBrowserShell(openFurther().page)).selected()).toBe("build");
});

test("a further tab shows what its opener shows, not what belfry ui began with", async () => {
  await using world = await twoDaemons();
  await world.build.tab.use();
  await world.build.shell.select("local");
  expect((await openBrowserShell(world.openFurther().page)).selected()).toBe("local");
  await world.build.shell.select("build");
  await world.build.tab.use();
  expect((await openBrowserShell(world.openFurther().page)).selected()).toBe("build");
});

test("a further tab that has a profile keeps it", async () => {
  await using world = await twoDaemons();
  await world.build.tab.use();
  const further = world.openFurther();
  further.values.set(profileKey, "local");
  expect((await openBrowserShell(further.page)).selected()).toBe("local");
});

test("a further tab opens, and says what is wrong, if the profile of its opener was removed elsewhere", async () => {
  await using world = await twoDaemons();
  await world.local.shell.remove("build");
  await world.build.tab.use();
  const shell = await openBrowserShell(world.openFurther().page);
  // the daemon of this machine would answer for another one
  expect(shell.selected()).toBe("build");
  expect((await shell.profiles()).map(({ name }) => name)).toEqual(["local"]);
  const client = createClient({ transport: shell.daemon(shell.selected()), retries: 0 });
  await expect(client.tasks.list()).rejects.toMatchObject({ code: "not_found", message: /build/ });
  expect(await shell.select("local")).toMatchObject({ kind: "local" });
});

test("an answer of another form than a tab gives is no answer", async () => {
  await using world = await twoDaemons();
  const { ui, build, openFurther } = world;
  await build.tab.use();
  using channel = Object.assign(new BroadcastChannel(`belfry-session ${ui.origin}`), {
    [Symbol.dispose]: () => channel.close(),
  });
  const form = { kind: "session", session: "bad", profile: "bad", usedAt: Date.now() + 60_000 };
  let asked = 0;
  channel.addEventListener("message", (event) => {
    if ((event as MessageEvent).data.kind !== "ask") return;
    asked += 1;
    for (const wrong of [
      { usedAt: undefined },
      { usedAt: Number.NaN },
      { usedAt: "1" },
      { profile: 1 },
      { session: {} },
    ])
      channel.postMessage({ ...form, ...wrong });
    channel.postMessage({ kind: "session", session: "bad" });
    channel.postMessage(null);
  });
  expect((await openBrowserShell(openFurther().page)).selected()).toBe("build");
  expect(asked).toBe(1);
});

test("when belfry ui has ended, the shell says so", async () => {
  const ui = await startUi();
  const shell = await openBrowserShell(openTab(ui.newAddress()).page);
  await ui[Symbol.asyncDispose]();
  await expect(shell.profiles()).rejects.toMatchObject({ code: "shell_unreachable" });
  const client = createClient({ transport: shell.daemon("local"), retries: 0 });
  const error: unknown = await client.health.get().catch((thrown: unknown) => thrown);
  expect(isConnectionError(error)).toBe(true);
  expect(error).toMatchObject({ cause: { code: "shell_unreachable" } });
});
