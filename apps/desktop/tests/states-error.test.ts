import { expect, test } from "vitest";
import { rewriteRows } from "../../../packages/server/tests/support/damage.ts";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { allScreens, forEach, makeSamples } from "./support/all-screens.ts";
import { openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

test("when the daemon fails, each screen says so with the request's id, and another try helps", async () => {
  await using daemon = await startDaemon();
  const samples = await makeSamples(daemon);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const problem = page.getByRole("main").getByRole("alert").first();
  await forEach(
    allScreens.filter(({ reads }) => reads),
    async ({ name, path, heading }) => {
      await ui.go(path(samples));
      // the daemon's database loses a table that each request needs
      rewriteRows(daemon.dataDir, "ALTER TABLE actors RENAME TO actors_away");
      try {
        await page.reload();
        await problem.getByText("The daemon has a problem").waitFor();
        await problem.getByText(/request req_/).waitFor();
        await ui.picture(`error-${name}`);
        expect(await ui.findSeriousFaults()).toEqual([]);
      } finally {
        rewriteRows(daemon.dataDir, "ALTER TABLE actors_away RENAME TO actors");
      }
      await page.reload();
      await page.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
      await problem.waitFor({ state: "detached" });
    },
  );
});
