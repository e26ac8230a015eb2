import { connectLocal } from "@belfry/client/local";
import type { Client, Run } from "@belfry/client";
import { tempDir, until } from "@belfry/test-kit";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Harness, startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { expectSound, openScreens, type Screens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

const clientOf = ({ socketPath }: Harness): Client => connectLocal({ socketPath });
type Task = Parameters<Client["tasks"]["create"]>[0];

/** Starts a run of a new task with this script. */
async function startRun(client: Client, script: string, more: Partial<Task> = {}): Promise<Run> {
  const task = await client.tasks.create({ name: "Backup", command: { kind: "shell", script }, ...more });
  return client.tasks.run(task.id);
}

const lines = (ui: Screens) => ui.page.getByRole("region", { name: "Lines of the output" });

/** What the test uses of an element of the page. */
interface Drawn {
  readonly dataset: { readonly line?: string };
  readonly getBoundingClientRect: () => { readonly top: number; readonly bottom: number };
  readonly querySelectorAll: (selector: string) => Iterable<Drawn>;
}

/** The first line that somebody sees, and how far its end is below the top of the box, in pixels; null if none is drawn. */
const lineAtTop = (ui: Screens): Promise<{ line: string; below: number } | null> =>
  lines(ui).evaluate((box: Drawn) => {
    const { top } = box.getBoundingClientRect();
    const place = (line: Drawn): number => line.getBoundingClientRect().bottom - top;
    const seen = [...box.querySelectorAll("[data-line]")].filter((line) => place(line) > 0);
    const first = seen.sort((one, other) => place(one) - place(other))[0];
    return first?.dataset.line === undefined ? null : { line: first.dataset.line, below: place(first) };
  });

test("output appears while a run writes it, with its colours, and the end says why", async () => {
  await using daemon = await startDaemon();
  await using dir = await tempDir("out-");
  const gate = join(dir.path, "gate");
  const run = await startRun(
    clientOf(daemon),
    [
      String.raw`printf '\033[1;32mcopied\033[0m 3 files, see https://example.org/log?a=1.\n'`,
      "printf 'half a line'",
      `while [ ! -e ${gate} ]; do sleep 0.05; done`,
      "echo ' and its rest'",
      "echo 'disk <b>full</b>' >&2",
      "exit 3",
    ].join("\n"),
  );
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  await ui.go(`/runs/${run.id}`);
  await ui.page.getByRole("heading", { name: "Backup", exact: true }).waitFor();
  const copied = lines(ui).getByText("copied");
  await copied.waitFor();
  expect(await copied.getAttribute("class")).toContain("text-ansi-green");
  await lines(ui).getByText("half a line", { exact: true }).waitFor();
  await ui.page.getByText("Live", { exact: true }).waitFor();
  await ui.picture("run-live");
  await expectSound(ui);

  await writeFile(gate, "");
  await lines(ui).getByText("half a line and its rest").waitFor();
  await lines(ui).getByText("disk <b>full</b>").waitFor();
  await ui.page.getByText("The run exited with code 3.").waitFor();
  await ui.page.getByText("Failed", { exact: true }).waitFor();
  expect(await lines(ui).getByText("err", { exact: true }).count()).toBe(1);
  expect(await ui.page.getByRole("link", { name: "https://example.org/log?a=1", exact: true }).count()).toBe(1);
  expect(await lines(ui).locator("b").count()).toBe(0);
  await ui.picture("run-failed");
  await expectSound(ui);
});

test("the output is searched, linked by line, wrapped and downloaded", async () => {
  await using daemon = await startDaemon();
  const client = clientOf(daemon);
  const run = await startRun(client, "seq -f 'row %g' 1 3000; echo done >&2");
  await client.runs.wait(run.id);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/runs/${run.id}?line=1500`);
  await lines(ui).getByText("row 1500", { exact: true }).waitFor();
  expect(await lines(ui).locator("[data-line]").count()).toBeLessThan(200);
  await page.getByRole("link", { name: "Link to line 1501" }).click();
  await expect.poll(() => page.url()).toMatch(/line=%221501%22|line=1501/);

  await page.keyboard.press("/");
  await page.keyboard.type("ROW 77");
  await page.getByText("1 of 11", { exact: true }).waitFor();
  await lines(ui).locator("[data-line='77'] mark").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("2 of 11", { exact: true }).waitFor();
  await lines(ui).locator("[data-line='770'] mark").waitFor();
  await page.getByRole("button", { name: "Previous place" }).click();
  await page.getByRole("button", { name: "Previous place" }).click();
  await page.getByText("11 of 11", { exact: true }).waitFor();
  await lines(ui).locator("[data-line='779'] mark").waitFor();
  await expect.poll(() => page.url()).toContain("find=ROW");
  await ui.picture("run-search");
  await expectSound(ui);

  const wrap = page.getByRole("button", { name: "Wrap" });
  expect(await wrap.getAttribute("aria-pressed")).toBe("true");
  await wrap.click();
  await page.reload();
  await page.getByRole("button", { name: "Wrap", pressed: false }).waitFor();

  await page.getByRole("button", { name: /Download/ }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Download stderr" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Backup-attempt-1.stderr.txt");
  expect(await readFile(await download.path(), "utf8")).toBe("done\n");
});

test("a page of very much output stays small, and follows its end until somebody scrolls away", async () => {
  await using daemon = await startDaemon();
  await using dir = await tempDir("out-");
  const client = clientOf(daemon);
  const gate = join(dir.path, "gate");
  const wait = `while [ ! -e ${gate} ]; do sleep 0.05; done`;
  const run = await startRun(client, `seq 1 100000; ${wait}; rm ${gate}; seq 100001 106000; ${wait}; echo last`);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const box = lines(ui);
  const numbered = (number: number) => box.locator(`[data-line='${number}']`);
  await ui.go(`/runs/${run.id}`);
  await numbered(100_000).waitFor();
  await page.getByText("Output (100,000 lines)").waitFor();
  await page.getByText(/^The oldest 5\d,\d{3} lines are not kept on this page/).waitFor();
  expect(await box.locator("[data-line]").count()).toBeLessThan(200);

  await box.hover();
  // a scroll that comes long after its turn of the wheel is not taken for a person's
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, -20_000);
      return page.getByRole("button", { name: "Follow" }).getAttribute("aria-pressed");
    })
    .toBe("false");
  await expect.poll(() => numbered(100_000).count()).toBe(0);
  const seen = await until("lines that stand still", async () => {
    const one = await lineAtTop(ui);
    await page.waitForTimeout(100);
    const next = await lineAtTop(ui);
    return one?.line === next?.line && one?.below === next?.below ? next : null;
  });
  await writeFile(gate, "");
  // so many that older lines give way
  await page.getByRole("button", { name: "6,000 new lines" }).waitFor();
  expect(await lineAtTop(ui)).toEqual(seen);
  await ui.picture("run-much");
  await expectSound(ui);
  await page.getByRole("button", { name: "6,000 new lines" }).click();
  await numbered(106_000).waitFor();
  await writeFile(gate, "");
  await box.getByText("last", { exact: true }).waitFor();
  await client.runs.wait(run.id);
});

test("a run is cancelled, and then run again", async () => {
  await using daemon = await startDaemon();
  const client = clientOf(daemon);
  const run = await startRun(client, "echo begun; exec sleep 600");
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/runs/${run.id}`);
  await lines(ui).getByText("begun").waitFor();
  await page.keyboard.press("c");
  await page.getByText("get SIGTERM, and those that are left after a grace period of 10s get SIGKILL").waitFor();
  await ui.picture("run-cancel");
  await page.getByRole("button", { name: "Cancel the run" }).click();
  await page.getByText("Cancelled", { exact: true }).waitFor();
  expect((await client.runs.get(run.id)).state).toBe("cancelled");

  await page.getByRole("button", { name: "Rerun" }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect.poll(() => page.url()).not.toContain(run.id);
  // the page of the former run, which has the same lines, may stay until then
  await page.getByText("Running", { exact: true }).first().waitFor();
  await lines(ui).getByText("begun").waitFor();
  await expect
    .poll(async () => (await client.runs.list({ limit: 1 })).runs[0])
    .toMatchObject({ state: "running", task_name: "Backup" });
  const [newest] = (await client.runs.list({ limit: 1 })).runs;
  expect(page.url()).toContain(newest!.id);
  await client.runs.cancel(newest!.id);
  await client.runs.wait(newest!.id);
});

test("each attempt of a run has its output", async () => {
  await using daemon = await startDaemon();
  await using dir = await tempDir("att-");
  const client = clientOf(daemon);
  const mark = join(dir.path, "mark");
  const run = await startRun(client, `[ -e ${mark} ] && echo second && exit 0; touch ${mark}; echo first; exit 9`, {
    retry: { max_attempts: 3, delay: "1s" },
  });
  await client.runs.wait(run.id);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  await ui.go(`/runs/${run.id}`);
  await lines(ui).getByText("second").waitFor();
  const attempts = ui.page.getByRole("region", { name: "Attempts (2 of 3)" });
  await attempts.getByText("exited with code 9").waitFor();
  await attempts.getByText("exited with code 0").waitFor();
  await ui.picture("run-attempts");
  await ui.page.getByRole("link", { name: "Attempt 1" }).click();
  await lines(ui).getByText("first").waitFor();
  expect(await lines(ui).getByText("second").count()).toBe(0);
  await expectSound(ui);
});

test("output whose files are gone is not called empty", async () => {
  await using daemon = await startDaemon();
  const client = clientOf(daemon);
  const told = await startRun(client, "echo told");
  const silent = await startRun(client, "true", { name: "Silent" });
  for (const { id } of [told, silent]) await client.runs.wait(id);
  await rm(join(daemon.dataDir, "attempts"), { recursive: true });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  await ui.go(`/runs/${told.id}`);
  await ui.page.getByText("This attempt wrote 5 B, which Belfry does not have any more").waitFor();
  await ui.go(`/runs/${silent.id}`);
  await ui.page.getByText("There is no output of this attempt.").waitFor();
  await expectSound(ui);
});

test("a queued run says what it waits for, and a skipped one why it never ran", async () => {
  await using daemon = await startDaemon();
  const client = clientOf(daemon);
  const first = await startRun(client, "exec sleep 600", { concurrency: { on_conflict: "queue" } });
  const second = await client.tasks.run(first.task_id);
  await using ui = await openScreens({ screens, socket: daemon.socketPath, isDark: true });
  await ui.page.setViewportSize({ width: 360, height: 740 });
  await ui.go(`/runs/${second.id}`);
  await ui.page.getByText(/The run is queued: /).waitFor();
  await ui.page.getByRole("link", { name: "Show the run that it waits for" }).waitFor();
  await ui.picture("run-queued-narrow");
  await expectSound(ui);
  await client.runs.cancel(first.id);
  await client.runs.cancel(second.id);
  await client.runs.wait(first.id);
});

test("what started a run is named with a link, and as deleted once it is", async () => {
  await using daemon = await startDaemon();
  const client = clientOf(daemon);
  const task = await client.tasks.create({ name: "Backup", command: { kind: "shell", script: "true" } });
  const { trigger, key } = await client.triggers.create({ name: "Deploy", target_task_id: task.id });
  const fired = await client.triggers.fire(key);
  const after = await client.tasks.create({ name: "Report", command: { kind: "shell", script: "true" } });
  await client.schedules.create({ task_id: after.id, kind: "interval", every: "1s", name: "Each second" });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const origin = page.getByText("Started by", { exact: true }).locator("xpath=following-sibling::dd");
  await ui.go(`/runs/${fired.run_id}`);
  await origin.getByRole("link", { name: "Deploy" }).waitFor();
  expect(await origin.innerText()).toBe("The trigger Deploy");
  await client.triggers.delete(trigger.id);
  await expect.poll(() => origin.innerText()).toBe("A trigger that was deleted");
  expect(await origin.getByRole("link").count()).toBe(0);

  await expect.poll(async () => (await client.runs.list({ task_id: after.id })).runs.length).toBeGreaterThan(0);
  const [run] = (await client.runs.list({ task_id: after.id })).runs;
  await ui.go(`/runs/${run!.id}`);
  await expect.poll(() => origin.innerText()).toBe("The schedule Each second");
  await client.schedules.delete(run!.source_schedule_id!);
  await expect.poll(() => origin.innerText()).toBe("A schedule that was deleted");
});

test("the page of a run whose task and group have long names is no wider than a narrow window", async () => {
  await using daemon = await startDaemon();
  const client = clientOf(daemon);
  const group = await client.groups.create({ name: "Warehouse and reporting" });
  const run = await startRun(client, "exit 3", {
    name: "Nightly import of the orders of a branch",
    group_id: group.id,
  });
  await client.runs.wait(run.id);
  await using ui = await openScreens({ screens, socket: daemon.socketPath, width: 360 });
  const { page } = ui;
  const width = () => page.evaluate<number>("document.documentElement.scrollWidth");
  await ui.go(`/runs/${run.id}`);
  await page.getByText("The run exited with code 3.").waitFor();
  expect(await width()).toBe(360);
  await ui.picture("run-long-names-360");
  await ui.go("/");
  await page.getByRole("heading", { name: "Failed since yesterday (1)" }).waitFor();
  expect(await width()).toBe(360);
  await ui.picture("now-long-names-360");
});
