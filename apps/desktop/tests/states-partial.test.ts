import { expect, test } from "vitest";
import { rewriteRows } from "../../../packages/server/tests/support/damage.ts";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { makeTask } from "../../../packages/server/tests/support/tasks.ts";
import { makeSamples, type Samples } from "./support/all-screens.ts";
import { openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

interface Case {
  readonly path: (samples: Samples) => string;
  /** A table that only some requests of the page need. */
  readonly table: string;
  /** The section that cannot be shown without it. */
  readonly section: string;
  /** What the section says. A stream may break after its beginning, and then has no request to name. */
  readonly says?: string;
  /** Something of another section. */
  readonly still: string;
}

const cases: readonly Case[] = [
  { path: () => "/", table: "schedules", section: "Timeline", still: "Failed since yesterday (0)" },
  { path: () => "/", table: "holds", section: "Holds", still: "Failed since yesterday (0)" },
  { path: () => "/", table: "tasks", section: "Overdue", still: "Daemon healthy" },
  { path: ({ task }) => `/tasks/${task}`, table: "triggers", section: "Triggers and watchers", still: "every 1h" },
  { path: ({ task }) => `/tasks/${task}`, table: "chains", section: "Chains", still: "every 1h" },
  { path: () => "/access", table: "pairings", section: "Open pairings", still: "Ada" },
  {
    path: ({ run }) => `/runs/${run}`,
    table: "attempts",
    section: "Output",
    says: "broke before the answer",
    still: "Started by",
  },
  { path: () => "/audit", table: "audit_anchor", section: "Integrity", still: "Operation" },
  // also late in the evening, when nothing more runs today
  { path: () => "/agenda?days=7", table: "holds", section: "Holds", still: "every 1h" },
  { path: () => "/agenda?days=7", table: "task_results", section: "Not in this list", still: "every 1h" },
];

test("if one part of a page cannot be read, it says so, and the others are shown", async () => {
  await using daemon = await startDaemon();
  const samples = await makeSamples(daemon);
  // its result is read for the agenda's list of what is left out, and not for the agenda itself
  await makeTask(daemon, ":", { enabled: false });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  for (const { path, table, section, says = "request req_", still } of cases) {
    await ui.go(path(samples));
    rewriteRows(daemon.dataDir, `ALTER TABLE ${table} RENAME TO ${table}_away`);
    try {
      await page.reload();
      const problem = page.getByRole("region", { name: section }).getByRole("alert").first();
      await problem.getByText(says).first().waitFor();
      await page.getByText(still).first().waitFor();
      await ui.picture(`partial-${table}`);
      expect(await ui.findSeriousFaults(), table).toEqual([]);
    } finally {
      rewriteRows(daemon.dataDir, `ALTER TABLE ${table}_away RENAME TO ${table}`);
    }
    await page.reload();
    await page.getByText(still).first().waitFor();
    await page.getByRole("main").getByRole("alert").first().waitFor({ state: "detached" });
  }
});

test("a channel cannot be deleted before it is known what notifies it", async () => {
  await using daemon = await startDaemon();
  await makeSamples(daemon);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const dialog = page.getByRole("dialog");
  const remove = dialog.getByRole("button", { name: "Delete" });
  await ui.go("/channels");
  await page.getByRole("button", { name: "Actions of On call" }).click();
  rewriteRows(daemon.dataDir, "ALTER TABLE notification_assignments RENAME TO notification_assignments_away");
  try {
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Try again" }).waitFor();
    expect(await remove.isDisabled()).toBe(true);
    expect(await ui.findSeriousFaults()).toEqual([]);
  } finally {
    rewriteRows(daemon.dataDir, "ALTER TABLE notification_assignments_away RENAME TO notification_assignments");
  }
  await dialog.getByRole("button", { name: "Try again" }).click();
  await dialog.getByText("No task and no group notifies On call.").waitFor();
  await remove.click();
  await page.getByRole("heading", { name: "No channels yet" }).waitFor();
});
