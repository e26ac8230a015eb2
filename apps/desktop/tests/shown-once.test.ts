import { connectLocal } from "@belfry/client/local";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { startRemoteDaemon } from "../../../packages/server/tests/support/remote.ts";
import { chooseMore } from "./support/edit-dialog.ts";
import { holdSocket } from "./support/held-socket.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const endpoint = "http://127.0.0.1:9/hook";

/** Answers every question of the page with no, and keeps it. */
function refuse(page: Page): readonly string[] {
  const asked: string[] = [];
  page.on("dialog", (question) => {
    asked.push(question.message());
    void question.dismiss();
  });
  return asked;
}

test("the signing secret of a channel is shown though the answer was lost, and its page is not left without it", async () => {
  await using daemon = await startDaemon();
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const asked = refuse(page);
  await ui.go("/channels");
  await page.getByRole("button", { name: "New channel" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("On call");
  await page.getByLabel("Endpoint").fill(endpoint);
  held.treat("cut-changes");
  await page.getByRole("button", { name: "Create the channel" }).click();
  await page.getByText("The result is unknown").waitFor();
  held.treat("pass");
  await page.getByRole("button", { name: "Look again" }).click();
  const secret = page.getByText(/^whsec_/);
  await secret.waitFor();
  await page.getByText("The channel has been created.").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => asked).toEqual(["Leave without the secret? It cannot be shown again."]);
  await secret.waitFor();
  await expectSound(ui);
  await page.getByRole("button", { name: "Done" }).click();
  // the channel is known, though its answer was lost
  await page.getByRole("heading", { name: "On call", exact: true, level: 1 }).waitFor();
  const { notification_channels: channels } = await connectLocal({
    socketPath: daemon.socketPath,
  }).notificationChannels.list();
  expect(channels).toMatchObject([{ name: "On call", has_signing_secret: true }]);
  expect(asked).toHaveLength(1);
});

test("a new signing secret stays in its dialog until the person is done with it, also while its answer is awaited or lost", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const channel = await client.notificationChannels.create({ name: "On call", endpoint });
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const dialog = page.getByRole("dialog");
  const button = (name: string) => dialog.getByRole("button", { name, exact: true });
  const secret = dialog.getByText(/^whsec_/);
  const tryToLeave = async (): Promise<void> => {
    await page.keyboard.press("Escape");
    await page.mouse.click(8, 8);
  };
  await ui.go(`/channels/${channel.id}`);
  await chooseMore(ui, "Replace its secrets");
  await dialog.waitFor();
  held.treat("hold");
  await button("Replace").click();
  await button("Sending …").waitFor();
  await tryToLeave();
  expect(await button("Cancel").isDisabled()).toBe(true);
  held.treat("pass");
  await secret.waitFor();
  await tryToLeave();
  await secret.waitFor();
  await expectSound(ui);
  await button("Done").click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("signing secret", { exact: true }).waitFor();
  expect((await client.notificationChannels.get(channel.id)).has_signing_secret).toBe(true);

  await chooseMore(ui, "Replace its secrets");
  held.treat("cut-changes");
  await button("Replace").click();
  await dialog.getByText("The result is unknown").waitFor();
  await dialog.getByText("This signing secret may be in use from now on.").waitFor();
  held.treat("pass");
  await button("Look again").click();
  await dialog.getByText("The daemon does not know").waitFor();
  await tryToLeave();
  await secret.waitFor();
  await expectSound(ui);
  await ui.picture("secret-in-doubt");
});

test("a page that shows a phrase or a new key asks before it is left", async () => {
  await using daemon = await startRemoteDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Deploy", command: { kind: "exec", program: "true" } });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const asked = refuse(page);
  await ui.go("/access");
  await page.getByRole("button", { name: "Pair a client" }).click();
  await page.getByLabel("Name").fill("Laptop");
  await page.getByRole("button", { name: "Create the pairing" }).click();
  const pairing = page.getByRole("region", { name: "New pairing" });
  await pairing.waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => asked).toEqual(["Leave without the phrase? It cannot be shown again."]);
  await pairing.waitFor();
  await page.getByRole("button", { name: "Hide the phrase" }).click();
  await pairing.waitFor({ state: "detached" });

  await ui.go("/triggers");
  await page.getByRole("button", { name: "New trigger" }).first().click();
  await page.getByLabel("Name").fill("CI");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect.poll(() => asked.at(-1)).toBe("Leave without saving your changes?");
  await page.getByRole("combobox", { name: "Task" }).selectOption(task.id);
  await page.getByRole("button", { name: "Create the trigger" }).click();
  const key = page.getByRole("region", { name: "Key" });
  await key.waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => asked.at(-1)).toMatch(/^Leave without the new key\?/);
  await page.getByRole("button", { name: "Hide the key" }).click();
  await key.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "CI", exact: true, level: 1 }).waitFor();
  const before = asked.length;

  await chooseMore(ui, "Rotate the key");
  await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
  await key.waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => asked.length).toBe(before + 1);
  await page.getByRole("button", { name: "Hide the key" }).click();
  // the filled form is not behind the page of the trigger
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Triggers", exact: true, level: 1 }).waitFor();
  expect(asked).toHaveLength(before + 1);
  expect(ui.errors).toEqual([]);
});
