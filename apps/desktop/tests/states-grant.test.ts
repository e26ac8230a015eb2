import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { startRemoteDaemon } from "../../../packages/server/tests/support/remote.ts";
import { allScreens, forEach, makeSamples } from "./support/all-screens.ts";
import { enrol, pairLaptop } from "./support/enrol.ts";
import { holdSocket } from "./support/held-socket.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

/** Names of what changes something. */
const acts =
  /^(Run|Edit|Disable|Enable|Cancel|Rerun|Run again|New .*|Add .*|Create .*|Import.*|Pair .*|Revoke|Withdraw|Delete.*|Rotate.*|Fire.*|Send .*|Save|Release)( .*)?$/;

test("who may only observe finds no act on any screen, and is told what each closed page needs", async () => {
  await using local = await startDaemon();
  await using remote = await startRemoteDaemon();
  const samples = await makeSamples(remote);
  const pairing = await pairLaptop(remote, "observe");
  await using ui = await openScreens({ screens, socket: local.socketPath });
  const { page } = ui;
  // so that the names above are those of the screens
  await ui.go("/tasks");
  await page.getByRole("main").getByRole("button", { name: acts }).first().waitFor();
  await ui.go("/connections");
  await enrol(ui, { ...pairing, name: "other" });
  await page.getByText("observe, as Laptop").waitFor();
  // only the daemon on this machine tells of its own health
  await ui.go("/");
  await page.getByText("Connected", { exact: true }).waitFor();
  expect(await page.getByText("Daemon healthy").count()).toBe(0);
  await forEach(
    allScreens.filter(({ name }) => name !== "connections"),
    async ({ name, path, heading, needs }) => {
      await ui.go(path(samples));
      if (needs === "observe") {
        await page.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
        await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
      } else {
        await page.getByRole("heading", { name: "Not allowed" }).waitFor();
        await page.getByText(`needs the capability ${needs}`).waitFor();
      }
      await ui.picture(`observe-${name}`);
      expect(await page.getByRole("main").getByRole("button", { name: acts }).allInnerTexts()).toEqual([]);
      await page.keyboard.press("Control+k");
      // a page may have options of its own
      const palette = page.getByRole("dialog");
      await palette.getByRole("option", { name: "Connections" }).waitFor();
      const offered = await palette.getByRole("option").locator("span:first-child").allInnerTexts();
      expect(offered.filter((text) => acts.test(text) && text !== "Import")).toEqual([]);
      await page.keyboard.press("Escape");
      await palette.waitFor({ state: "detached" });
      await expectSound(ui);
    },
  );
});

test("while the daemon has a problem of its own, what somebody has typed stays, and so do the acts", async () => {
  await using daemon = await startDaemon();
  const { task } = await makeSamples(daemon);
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  await ui.go(`/tasks/${task}/edit`);
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Backup of the night");
  const error = { code: "internal", field: null, message: "the daemon has a problem" };
  for (const path of ["health", "events"])
    await page.route(`**/api/v1/${path}`, (route) => route.fulfill({ status: 500, json: { error } }));
  // the stream breaks at its next event
  held.treat("cut");
  await daemon.call("POST", "/v1/groups", { name: "Web" });
  await page.getByText("The daemon cannot report changes.").waitFor();
  held.treat("pass");
  expect(await name.inputValue()).toBe("Backup of the night");
  expect(await page.getByRole("heading", { name: "Not allowed" }).count()).toBe(0);
  await ui.picture("problem-edit-task");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Backup of the night", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  await ui.go("/");
  await page.getByText("Daemon not reporting changes").waitFor();
  await page.unrouteAll();
  await page.getByText("The daemon cannot report changes.").waitFor({ state: "detached" });
  await page.getByText("Daemon healthy").waitFor();
});
