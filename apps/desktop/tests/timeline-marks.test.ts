import { ManualClock, until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const minuteMs = 60_000;

test("missed times are a gap in the picture, which answers why when it is clicked, and words in the table", async () => {
  const minute = Math.floor(Date.now() / minuteMs) * minuteMs;
  const clock = new ManualClock(new Date(minute - 10 * minuteMs).toISOString());
  await using before = await startDaemon({ clock });
  const command = { kind: "shell", script: "true" };
  const { json: task } = await before.call("POST", "/v1/tasks", { name: "Every minute", command });
  await before.call("POST", "/v1/schedules", { task_id: task.id, kind: "cron", expression: "* * * * *" });
  await before.stop();
  clock.jump(10 * minuteMs + 500);
  await using daemon = await startDaemon({ dataDir: before.dataDir, clock });
  const runs = async () => (await daemon.call("GET", `/v1/runs?task_id=${task.id}`)).json.runs;
  await until("the run that makes up for them", async () => (await runs()).some((run: any) => run.coalesced === 9));
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/?span=1h");
  const canvas = page.locator("[data-canvas]");
  await canvas.locator("path").first().waitFor();
  const box = (await canvas.boundingBox())!;
  const [x, y] = [box.x + box.width * (0.75 - 5 / 60), box.y + 16];
  await page.mouse.move(x, y);
  const words = page.getByText(/^9 times were missed from .* on; the run at .* makes up for them$/);
  await words.waitFor();
  // the words are below the last row, where the picture ends
  expect(await words.evaluate((element) => element.closest(".overflow-hidden"))).toBeNull();
  await ui.picture("timeline-missed");
  await page.mouse.click(x, y);
  await page.waitForURL(/#\/tasks\/.*why=/);
  const answer = page.getByText(/was missed and merged into the run for/);
  await answer.waitFor();
  await expect.poll(() => answer.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThan(900);
  await ui.go("/?span=1h&table=true");
  await page.getByText(/9 times were missed from/).waitFor();
  await expectSound(ui);
});
