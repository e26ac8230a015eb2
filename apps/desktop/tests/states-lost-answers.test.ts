import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { answerWith, startReceiver } from "../../../packages/server/tests/support/receiver.ts";
import { makeSamples, sampleTask } from "./support/all-screens.ts";
import { holdSocket } from "./support/held-socket.ts";
import { openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

test("the main act of every screen is sent once, called unknown when its answer is lost, and found by a look", async () => {
  await using receiver = await startReceiver();
  receiver.behave(answerWith(204));
  await using daemon = await startDaemon();
  const samples = await makeSamples(daemon);
  const { json: channel } = await daemon.call("POST", "/v1/notification-channels", {
    name: "Pager",
    endpoint: receiver.url,
  });
  const { json: delivery } = await daemon.call("POST", `/v1/notification-channels/${channel.id}/test`, {});
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const inMenu = (name: string) => async () => {
    await button("More ▾").click();
    await page.getByRole("menuitem", { name, exact: true }).waitFor();
  };
  const name = (text: string) => page.getByLabel("Name", { exact: true }).fill(text);
  const task = page.getByRole("combobox", { name: /^Task/ });

  /** What is prepared on a page, and the button or the menu item that then sends the change. */
  const acts: readonly (readonly [path: string, send: string, prepare: () => Promise<unknown>])[] = [
    ["/tasks", "Run", () => button(`Run ${sampleTask}`).click()],
    [
      "/tasks/new",
      "Create the task",
      async () => {
        await name("Report");
        await page.getByLabel("Script", { exact: true }).fill("true");
        await page.getByLabel("Expression").fill("0 3 * * *");
      },
    ],
    [`/tasks/${samples.task}`, "Run", () => button("Run").click()],
    [`/tasks/${samples.task}/edit`, "Save", () => page.getByLabel("Description").fill("Mine")],
    [`/runs/${samples.run}`, "Run", () => button("Rerun").click()],
    [`/tasks/${samples.task}`, "Disable", inMenu("Disable")],
    [
      "/import",
      "Import 1 task",
      async () => {
        await page.getByLabel("Crontab", { exact: true }).fill("0 3 * * * /usr/bin/true");
        await button("Check").click();
        await button("Import 1 task").waitFor();
      },
    ],
    [
      "/triggers/new",
      "Create the trigger",
      async () => {
        await name("CI");
        await task.selectOption(samples.task);
      },
    ],
    [
      `/triggers/${samples.trigger}`,
      "Rotate",
      async () => {
        await inMenu("Rotate the key")();
        await page.getByRole("menuitem", { name: "Rotate the key" }).click();
      },
    ],
    [`/triggers/${samples.trigger}/edit`, "Save", () => name("Deploy from CI")],
    [
      "/watchers/new",
      "Create the watcher",
      async () => {
        await name("Incoming");
        await page.getByLabel("Path").fill("/srv/incoming");
        await task.selectOption(samples.task);
      },
    ],
    [`/watchers/${samples.watcher}`, "Disable", inMenu("Disable")],
    [`/watchers/${samples.watcher}/edit`, "Save", () => page.getByLabel("Path").fill("/srv/other.csv")],
    [
      "/channels/new",
      "Create the channel",
      async () => {
        await name("Archive");
        await page.getByLabel("Endpoint").fill(receiver.url);
      },
    ],
    [`/channels/${channel.id}`, "Send a test", () => button("Send a test").waitFor()],
    [`/channels/${channel.id}/edit`, "Save", () => name("Pager at night")],
    [`/deliveries/${delivery.id}`, "Send again", () => button("Send again").waitFor()],
    ["/deliveries", "Send again", () => button("Send failed ones again").click()],
    [
      "/access",
      "Create the pairing",
      async () => {
        await button("Pair a client").click();
        await page.getByLabel("Name").fill("Laptop");
      },
    ],
    [
      `/access/${samples.actor}`,
      "Revoke",
      async () => {
        await button("Revoke").click();
        await page.getByLabel("Type “Ada” to confirm").fill("Ada");
      },
    ],
    [
      "/",
      "Hold",
      async () => {
        await button("More ▾").click();
        await page.getByRole("menuitem", { name: "Hold all tasks" }).click();
      },
    ],
  ];
  const secrets = ["Create the pairing", "Rotate"];
  const failed: string[] = [];
  for (const [path, send, prepare] of acts) {
    const look = async (): Promise<void> => {
      // a form that was left filled would ask whether to leave it
      await page.reload();
      await ui.go(path);
      await prepare();
      const before = held.changes().length;
      held.treat("cut-changes");
      const shown = page.getByRole("dialog").or(page.getByRole("menu")).or(page.getByRole("main"));
      const control = shown.last().locator(`:is(button, [role=menuitem]):text-is("${send}")`);
      await control.click();
      await page.getByText("The result is unknown").waitFor();
      await page.getByText("It is not sent again by itself.").waitFor();
      // asking for it once more is not possible, except where twice is the same as once
      const isOffered = send !== "Disable" && (await control.count()) > 0 && (await control.isEnabled());
      expect(isOffered).toBe(false);
      expect(await ui.findSeriousFaults()).toEqual([]);
      held.treat("pass");
      await button("Look again").click();
      // a daemon keeps no answer that has a secret, so that of a new secret may stay unknown
      // that of a new channel was made by the page, which shows it now
      const [found, leave] = secrets.includes(send)
        ? (["The daemon does not know", "Dismiss"] as const)
        : send === "Create the channel"
          ? (["The channel has been created.", "Done"] as const)
          : (["It was done", "Dismiss"] as const);
      await page.getByText(found).waitFor();
      // the next times of a schedule are asked for while somebody types
      const sent = held
        .changes()
        .slice(before)
        .filter((change) => !change.endsWith("/preview"));
      expect(sent).toHaveLength(1);
      await button(leave).click();
      await button("Look again").or(button(leave)).waitFor({ state: "detached" });
      // a form that was carried out is left: once more, it would do the same twice
      if (["Create the trigger", "Create the watcher"].includes(send)) await control.waitFor({ state: "detached" });
    };
    await look().catch((error: unknown) => failed.push(`${path}, ${send}: ${String(error).slice(0, 600)}`));
    held.treat("pass");
  }
  expect(failed).toEqual([]);
  expect(ui.errors).toEqual([]);
});
