import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { allScreens, forEach, makeSamples, noSamples } from "./support/all-screens.ts";
import { holdSocket } from "./support/held-socket.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const reading = allScreens.filter(({ reads }) => reads);

const reference = readFileSync(join(import.meta.dirname, "../../../docs/commands.md"), "utf8");

/** The command stands in the reference, and each of its options in the command's part. */
function expectKnown(command: string): void {
  const [, noun, verb] = command.split(" ");
  const part = reference.split(/^### /m).find((text) => text.startsWith(`belfry ${noun} ${verb}\n`));
  expect(part, command).toBeDefined();
  const [own] = command.split(" -- ");
  for (const option of own!.match(/--[a-z-]+/g) ?? []) expect(part, command).toContain(`${option} `);
}

test("every screen that lists has a first use, with what to do and a command", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await forEach(
    allScreens.filter(({ firstUse }) => firstUse !== null),
    async ({ name, path, heading, firstUse }) => {
      await ui.go(path(noSamples));
      await page.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
      await page.getByRole("heading", { name: firstUse! }).waitFor();
      const commands = await page
        .getByRole("main")
        .getByText(/^belfry /)
        .allInnerTexts();
      expect(commands.length).toBeGreaterThan(0);
      for (const command of commands) expectKnown(command);
      await ui.picture(`first-use-${name}`);
      await expectSound(ui);
    },
  );
});

test("while answers are held back, each screen shows shapes, and then its data without a reload", async () => {
  await using daemon = await startDaemon();
  const samples = await makeSamples(daemon);
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const loading = page.getByRole("status", { name: "Loading" }).first();
  await forEach(reading, async ({ name, path, heading }) => {
    held.treat("hold");
    await ui.go(path(samples));
    // nothing that was read before is known any more
    await page.reload();
    await loading.waitFor();
    await ui.picture(`loading-${name}`);
    await expectSound(ui);
    held.treat("pass");
    await page.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
    await loading.waitFor({ state: "detached" });
    // an answer that was held back very long is called missing until the next one
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });
});

test("when each answer is cut in the middle, each screen says so, and recovers by itself", async () => {
  await using daemon = await startDaemon();
  const samples = await makeSamples(daemon);
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const problem = page.getByRole("main").getByRole("alert").first();
  await forEach(reading, async ({ name, path, heading }) => {
    held.treat("cut");
    await ui.go(path(samples));
    await page.reload();
    await problem.getByText("The daemon does not answer").waitFor();
    await ui.picture(`cut-${name}`);
    expect(await ui.findSeriousFaults()).toEqual([]);
    held.treat("pass");
    await page.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
    await problem.waitFor({ state: "detached" });
  });
});
