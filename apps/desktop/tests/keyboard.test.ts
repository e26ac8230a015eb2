import { connectLocal } from "@belfry/client/local";
import { tempDir } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startReceiver } from "../../../packages/server/tests/support/receiver.ts";
import { startRemoteDaemon } from "../../../packages/server/tests/support/remote.ts";
import { openKeyboard } from "./support/keyboard.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

test("a whole day's work is done by keyboard alone, on a narrow dark screen that does not move", async () => {
  await using daemon = await startRemoteDaemon();
  await using receiver = await startReceiver();
  await using place = await tempDir("kb-");
  const gate = join(place.path, "gate");
  const client = connectLocal({ socketPath: daemon.socketPath });
  await client.actors.create({ name: "Ada", capability: "operate" });
  await using ui = await openScreens({
    screens,
    socket: daemon.socketPath,
    width: 360,
    height: 740,
    isDark: true,
    isCalm: true,
  });
  const { page } = ui;
  const keys = openKeyboard(page);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const dialog = page.getByRole("dialog");
  const heading = (name: string) => page.getByRole("heading", { name, exact: true, level: 1 });
  /** Goes to a place by the palette. */
  const find = async (text: string): Promise<void> => {
    await keys.press("Control+k");
    await keys.type(text);
    const palette = page.getByRole("dialog", { name: "Search", exact: true });
    await palette.getByRole("option", { selected: true }).filter({ hasText: text }).waitFor();
    await keys.press("Enter");
    await palette.waitFor({ state: "detached" });
    await keys.expectFocus();
  };

  // a crontab is pasted, checked and imported
  await find("Import a crontab");
  await keys.paste(page.getByLabel("Crontab", { exact: true }), "0 3 * * * sync-mail\n");
  await keys.write(page.getByLabel("New group"), "Old cron");
  await keys.choose(button("Check"));
  await keys.choose(button("Import 1 task"));
  await page.getByText("cron still runs these jobs").waitFor();
  await keys.expectFocus();
  expect((await client.tasks.list()).tasks).toHaveLength(1);
  await expectSound(ui);

  // a task is created, run, and seen live
  await find("New task");
  await keys.write(page.getByLabel("Name", { exact: true }), "Backup");
  await keys.write(
    page.getByLabel("Script", { exact: true }),
    `echo begun; while [ ! -e ${gate} ]; do sleep 0.05; done`,
  );
  await keys.write(page.getByLabel("Expression"), "0 3 * * *");
  await keys.choose(button("Create the task"));
  await heading("Backup").waitFor();
  await keys.expectFocus();
  const task = (await client.tasks.list()).tasks.find(({ name }) => name === "Backup")!;
  const newestRun = async () => (await client.runs.list({ task_id: task.id, limit: 1 })).runs[0]!;
  await button("Run").waitFor();
  await keys.press("r");
  await keys.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await keys.press("r");
  await keys.choose(dialog.getByRole("button", { name: "Run" }));
  await page.waitForURL(/#\/runs\//);
  await page.getByRole("region", { name: "Lines of the output" }).getByText("begun").waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await keys.expectFocus();
  await expectSound(ui);
  await writeFile(gate, "");
  await button("Rerun").waitFor();
  await keys.expectFocus();

  // it is broken, and its failure is on the timeline
  const edit = async (script: string): Promise<void> => {
    await find("Backup");
    await heading("Backup").waitFor();
    await button("Run").waitFor();
    await keys.press("e");
    await heading("Edit Backup").waitFor();
    await keys.write(page.getByLabel("Script", { exact: true }), script);
    await keys.choose(button("Save"));
    await heading("Backup").waitFor();
    await button("Run").waitFor();
    await keys.expectFocus();
  };
  const run = async (ending: string): Promise<void> => {
    await keys.press("r");
    await keys.choose(dialog.getByRole("button", { name: "Run" }));
    await button("Rerun").waitFor();
    await page.getByText(ending).waitFor();
    await keys.expectFocus();
  };
  await edit("echo 'disk full' >&2; exit 3");
  await run("The run exited with code 3.");
  await keys.press("g", "n");
  await heading("Now").waitFor();
  await keys.press("t");
  const timeline = page.getByRole("region", { name: "Timeline" });
  await keys.choose(timeline.getByRole("link", { name: /Failed/ }));
  await button("Rerun").waitFor();
  await page.getByText("The run exited with code 3.").waitFor();
  expect(page.url()).toContain((await newestRun()).id);
  await keys.expectFocus();

  // why, and the mending
  await find("Backup");
  await keys.choose(button("Explain now"));
  await page.getByText(/^At .* Now: /).waitFor();
  await keys.expectFocus();
  await expectSound(ui);
  await edit("true");
  await run("The run exited with code 0.");
  expect((await newestRun()).outcome).toBe("success");

  // a trigger is made, fired, and its key rotated
  await find("New trigger");
  await keys.write(page.getByLabel("Name"), "CI");
  const choice = page.getByRole("combobox", { name: "Task" });
  await choice.getByRole("option", { name: "Backup" }).waitFor({ state: "attached" });
  await keys.tabTo(choice);
  // one letter alone: a second one that comes late begins another search
  await keys.type("B");
  await expect.poll(() => choice.inputValue()).toBe(task.id);
  await keys.choose(button("Create the trigger"));
  await keys.choose(button("Hide the key"));
  await heading("CI").waitFor();
  const [trigger] = (await client.triggers.list()).triggers;
  await keys.press("g", "k");
  await keys.choose(page.getByRole("row", { name: /CI/ }));
  await heading("CI").waitFor();
  const more = async (act: string): Promise<void> => {
    await keys.choose(button("More ▾"));
    await page.getByRole("menu").waitFor();
    // one letter alone: a second one that comes late begins another search
    await keys.type(act.slice(0, 1));
    await page.locator("[role=menuitem][data-highlighted]", { hasText: act }).waitFor();
    await keys.press("Enter");
    await dialog.waitFor();
    await keys.expectFocus();
  };
  await more("Rotate");
  await keys.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await keys.expectFocus();
  await more("Rotate");
  await keys.choose(dialog.getByRole("button", { name: "Rotate" }));
  await page.getByRole("region", { name: "Key" }).waitFor();
  await keys.expectFocus();
  expect((await client.triggers.get(trigger!.id)).key_prefix).not.toBe(trigger!.key_prefix);
  await keys.choose(button("Hide the key"));
  await more("Fire");
  await keys.choose(dialog.getByRole("button", { name: "Fire" }));
  await button("Rerun").waitFor();
  await page.getByText("The run exited with code 0.").waitFor();
  await keys.expectFocus();
  expect((await newestRun()).trigger).toBe("external_trigger");

  // a channel is added
  await find("New channel");
  await heading("New channel").waitFor();
  await keys.write(page.getByLabel("Name", { exact: true }), "On call");
  await keys.write(page.getByLabel("Endpoint"), `http://127.0.0.1:${receiver.port}/hook`);
  await keys.choose(button("Create the channel"));
  await keys.choose(button("Done"));
  await heading("On call").waitFor();
  await keys.expectFocus();

  // an identity is revoked
  await find("Access");
  await keys.choose(page.getByRole("row", { name: /Ada/ }));
  await heading("Ada").waitFor();
  await keys.choose(button("Revoke"));
  await keys.write(dialog.getByLabel("Type “Ada” to confirm"), "Ada");
  await keys.press("Enter");
  await page.getByText("Revoked").waitFor();
  await dialog.waitFor({ state: "detached" });
  await keys.expectFocus();
  expect((await client.actors.list()).actors.find(({ name }) => name === "Ada")?.state).toBe("revoked");
  await expectSound(ui);
});
