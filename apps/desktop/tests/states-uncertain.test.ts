import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { startRemoteDaemon } from "../../../packages/server/tests/support/remote.ts";
import { makeSamples, sampleTask } from "./support/all-screens.ts";
import { chooseMore } from "./support/edit-dialog.ts";
import { pairLaptop } from "./support/enrol.ts";
import { holdSocket } from "./support/held-socket.ts";
import { openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

test("an act whose answer was cut off is called unknown, is not sent again, and can be looked at", async () => {
  await using daemon = await startDaemon();
  const { task } = await makeSamples(daemon);
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  await ui.go("/tasks");
  await page.getByRole("button", { name: `Run ${sampleTask}` }).click();
  const dialog = page.getByRole("dialog");
  const before = (await daemon.call("GET", `/v1/runs?task_id=${task}`)).json.runs.length;
  held.treat("cut-changes");
  await dialog.getByRole("button", { name: "Run" }).click();
  await dialog.getByText("The result is unknown").waitFor();
  await dialog.getByText("It is not sent again by itself.").waitFor();
  expect(await dialog.getByRole("button").allInnerTexts()).toEqual(["Look again", "Dismiss"]);
  await ui.picture("uncertain-run");
  expect(await ui.findSeriousFaults()).toEqual([]);
  held.treat("pass");
  await dialog.getByRole("button", { name: "Look again" }).click();
  await dialog.getByText(/^(It was done|It was not done|The daemon does not know)/).waitFor();
  await ui.picture("uncertain-run-looked");
  expect((await daemon.call("GET", `/v1/runs?task_id=${task}`)).json.runs).toHaveLength(before + 1);
  await dialog.getByRole("button", { name: "Dismiss" }).click();
  await dialog.waitFor({ state: "detached" });
});

test("an edit whose answer was cut off stays in the form, and is found to have been done", async () => {
  await using daemon = await startDaemon();
  const { task } = await makeSamples(daemon);
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  await ui.go(`/tasks/${task}/edit`);
  await page.getByLabel("Description").fill("Mine");
  held.treat("cut-changes");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The result is unknown").waitFor();
  expect(await page.getByLabel("Description").inputValue()).toBe("Mine");
  const save = page.getByRole("button", { name: "Save" });
  expect(await save.isDisabled()).toBe(true);
  await ui.picture("uncertain-edit");
  expect(await ui.findSeriousFaults()).toEqual([]);
  held.treat("pass");
  await page.getByRole("button", { name: "Look again" }).click();
  await page.getByText("It was done").waitFor();
  await ui.picture("uncertain-edit-looked");
  expect((await daemon.call("GET", `/v1/tasks/${task}`)).json.description).toBe("Mine");
  expect(await save.isDisabled()).toBe(true);
});

test("a deletion whose answer was cut off cannot be asked for twice, and its dialog goes when its result is known", async () => {
  await using daemon = await startDaemon();
  const endpoint = "http://127.0.0.1:9/hook";
  const { json: channel } = await daemon.call("POST", "/v1/notification-channels", { name: "On call", endpoint });
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  await ui.go("/channels");
  await page.getByRole("button", { name: "Actions of On call" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  held.treat("cut-changes");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("The result is unknown").waitFor();
  expect(await dialog.getByRole("button").allInnerTexts()).toEqual(["Look again", "Dismiss"]);
  expect(await ui.findSeriousFaults()).toEqual([]);
  held.treat("pass");
  await dialog.getByRole("button", { name: "Look again" }).click();
  await dialog.getByText("It was done").waitFor();
  expect((await daemon.call("GET", `/v1/notification-channels/${channel.id}`)).status).toBe(404);
  await dialog.getByRole("button", { name: "Dismiss" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "No channels yet" }).waitFor();
});

test("a change that did not reach the daemon is found to be not done, and can be sent again", async () => {
  await using daemon = await startDaemon();
  const { task } = await makeSamples(daemon);
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const lookAgain = async (): Promise<void> => {
    await page.getByText("The result is unknown").waitFor();
    held.treat("pass");
    await page.getByRole("button", { name: "Look again" }).click();
    await page.getByText("It was not done").waitFor();
    expect(await ui.findSeriousFaults()).toEqual([]);
  };

  await ui.go(`/tasks/${task}/edit`);
  await page.getByLabel("Description").fill("Mine");
  held.treat("lose-changes");
  await page.getByRole("button", { name: "Save" }).click();
  await lookAgain();
  expect((await daemon.call("GET", `/v1/tasks/${task}`)).json.description).not.toBe("Mine");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: sampleTask, exact: true, level: 1 }).waitFor();
  expect((await daemon.call("GET", `/v1/tasks/${task}`)).json.description).toBe("Mine");

  await ui.go("/triggers/new");
  await page.getByLabel("Name").fill("CI");
  await page.getByRole("combobox", { name: "Task" }).selectOption({ label: sampleTask });
  held.treat("lose-changes");
  await page.getByRole("button", { name: "Create the trigger" }).click();
  await lookAgain();
  await page.getByRole("button", { name: "Create the trigger" }).click();
  await page.getByRole("heading", { name: "The key of CI" }).waitFor();
  const { triggers } = (await daemon.call("GET", "/v1/triggers?q=CI")).json;
  expect(triggers).toHaveLength(1);
});

test("the result of withdrawing the last pairing is said, though the list is empty", async () => {
  await using daemon = await startRemoteDaemon();
  const pairing = await pairLaptop(daemon, "observe");
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const dialog = page.getByRole("dialog");
  await ui.go("/access");
  await page.getByRole("button", { name: "Withdraw" }).click();
  held.treat("cut-changes");
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await dialog.getByText("The result is unknown").waitFor();
  held.treat("pass");
  await dialog.getByRole("button", { name: "Look again" }).click();
  await dialog.getByText("It was done").waitFor();
  await page.getByText("Open pairings").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Dismiss" }).click();
  await dialog.waitFor({ state: "detached" });
  const { pairings } = (await daemon.call("GET", "/v1/access/pairings")).json;
  expect(pairings.some(({ id, state }: Record<string, unknown>) => id === pairing.id && state === "open")).toBe(false);
});

test("a change that never left says so, and does not promise to go on by itself", async () => {
  await using daemon = await startDaemon();
  const { trigger } = await makeSamples(daemon);
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  await ui.go(`/triggers/${trigger}/edit`);
  const main = page.getByRole("main");
  await main.getByLabel("Name", { exact: true }).fill("Release");
  await held[Symbol.asyncDispose]();
  await main.getByRole("button", { name: "Save" }).click();
  const problem = main.getByRole("alert").filter({ hasText: "The daemon does not answer" });
  await problem.getByText("The change was not sent. Send it again when the daemon answers.").waitFor();
  expect(await problem.getByText("by itself").count()).toBe(0);
  expect(await main.getByLabel("Name", { exact: true }).inputValue()).toBe("Release");
  expect(await main.getByRole("button", { name: "Save" }).isEnabled()).toBe(true);
});

test("a creation whose answer was lost is left for what it created, which is not created twice", async () => {
  await using daemon = await startDaemon();
  await makeSamples(daemon);
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  for (const [what, prepare] of [
    ["trigger", () => page.getByRole("combobox", { name: "Task" }).selectOption({ label: sampleTask })],
    [
      "watcher",
      async () => {
        await page.getByLabel("Path").fill("/srv/incoming");
        await page.getByRole("combobox", { name: "Task to start" }).selectOption({ label: sampleTask });
      },
    ],
  ] as const) {
    await ui.go(`/${what}s/new`);
    await page.getByLabel("Name", { exact: true }).fill("Incoming");
    await prepare();
    held.treat("cut-changes");
    await page.getByRole("button", { name: `Create the ${what}` }).click();
    await page.getByText("The result is unknown").waitFor();
    held.treat("pass");
    await page.getByRole("button", { name: "Look again" }).click();
    await page.getByText("It was done").waitFor();
    expect(await page.getByRole("button", { name: `Create the ${what}` }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.getByRole("heading", { name: "Incoming", exact: true, level: 1 }).waitFor();
  }
  expect((await daemon.call("GET", "/v1/triggers?q=Incoming")).json.triggers).toHaveLength(1);
  expect((await daemon.call("GET", "/v1/filesystem-watchers")).json.filesystem_watchers).toHaveLength(2);
});

test("a confirmation stays while its change is sent or looked at, and cannot send it twice", async () => {
  await using daemon = await startDaemon();
  const { task } = await makeSamples(daemon);
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const dialog = page.getByRole("dialog");
  const button = (name: string) => dialog.getByRole("button", { name, exact: true });
  const tryToLeave = async (): Promise<void> => {
    await page.keyboard.press("Escape");
    await page.mouse.click(8, 8);
  };
  const runsOf = async () => (await daemon.call("GET", `/v1/runs?task_id=${task}`)).json.runs;
  const before = (await runsOf()).length;
  await ui.go("/tasks");
  await page.getByRole("button", { name: `Run ${sampleTask}` }).click();
  await dialog.waitFor();
  held.treat("hold");
  await button("Run").click();
  await button("Sending …").waitFor();
  await tryToLeave();
  expect(await button("Cancel").isDisabled()).toBe(true);
  await page.keyboard.press("Enter");
  held.treat("pass");
  await page.waitForURL(/#\/runs\//);
  await page.getByRole("heading", { name: sampleTask, exact: true, level: 1 }).waitFor();
  expect(held.changes().filter((change) => change.endsWith("/run"))).toHaveLength(1);
  expect(await runsOf()).toHaveLength(before + 1);

  await ui.go("/tasks");
  await page.getByRole("button", { name: `Run ${sampleTask}` }).click();
  held.treat("cut-changes");
  await button("Run").click();
  await dialog.getByText("The result is unknown").waitFor();
  held.treat("hold");
  await button("Look again").click();
  await expect.poll(() => button("Dismiss").isDisabled()).toBe(true);
  await tryToLeave();
  held.treat("pass");
  await dialog.getByText("It was done").waitFor();
  // with its result, nothing keeps it any more, and what is asked next begins anew
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: `Run ${sampleTask}` }).click();
  await dialog.waitFor();
  expect(await dialog.getByRole("alert").count()).toBe(0);
  expect(await runsOf()).toHaveLength(before + 2);
});

test("a confirmation whose change is sent has no fault", async () => {
  await using daemon = await startDaemon();
  await makeSamples(daemon);
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const dialog = page.getByRole("dialog");
  await ui.go("/tasks");
  await page.getByRole("button", { name: `Run ${sampleTask}` }).click();
  await dialog.waitFor();
  held.treat("hold");
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await dialog.getByRole("button", { name: "Sending …" }).waitFor();
  expect(await ui.findSeriousFaults()).toEqual([]);
  await ui.picture("sending-run");
});

test("a name that was typed to confirm an act confirms no later one", async () => {
  await using daemon = await startDaemon();
  const { trigger } = await makeSamples(daemon);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const dialog = page.getByRole("dialog");
  const remove = dialog.getByRole("button", { name: "Delete" });
  await ui.go(`/triggers/${trigger}`);
  await chooseMore(ui, "Delete");
  await dialog.getByLabel("Type “Deploy” to confirm").fill("Deploy");
  expect(await remove.isEnabled()).toBe(true);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await chooseMore(ui, "Delete");
  expect(await dialog.getByLabel("Type “Deploy” to confirm").inputValue()).toBe("");
  expect(await remove.isDisabled()).toBe(true);
});
