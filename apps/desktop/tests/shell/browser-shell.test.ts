import { createClient, isConnectionError } from "@belfry/client";
import { expect, test } from "vitest";
import { startUi } from "../../../cli/tests/ui/start-ui.ts";
import type { BrowserPage, PageChannel } from "../../src/shell/browser-page.ts";
import { openBrowserShell } from "../../src/shell/browser-shell.ts";
import { ShellError } from "../../src/shell/shell.ts";
import { describeShell, type ShellWorld } from "./any-shell.ts";

/** A tab of a browser that was opened on this address. */
function openTab(address: string) {
  let url = new URL(address);
  const values = new Map<string, string>();
  const opened: string[] = [];
  const channels: PageChannel[] = [];
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
  };
  const close = () => {
    for (const channel of channels) channel.close();
  };
  return { page, opened, values, address: () => url.href, close };
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
  await expect(openBrowserShell(openTab(ui.origin).page)).rejects.toMatchObject({ code: "session_ended" });
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
