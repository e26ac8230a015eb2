import { tempDir } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkLog } from "./log-check.ts";

const now = Date.parse("2030-01-02T12:00:00Z");
const line = (at: string, event: string, level = "warn"): string => `${JSON.stringify({ at, level, event })}\n`;

test("warnings of the last day are counted, and those that a user can act on are explained", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "belfry.log");
  expect(checkLog(path, now).level).toBe("good");
  const [old, recent] = ["2030-01-01T11:00:00.000Z", "2030-01-02T11:00:00.000Z"];
  await writeFile(
    path,
    [
      line(old, "database.broken", "error"),
      line(recent, "schedules.clock_set_back"),
      line(recent, "clock.jumped"),
      line(recent, "clock.jumped"),
      line(recent, "output.not_removed"),
      line(recent, "daemon.started", "info"),
    ].join(""),
  );
  expect(checkLog(path, now)).toEqual({
    subject: "log",
    level: "warn",
    text: `warnings or errors in the last 24 hours: schedules.clock_set_back (the clock was set back by hours, so schedules continue from the new time), clock.jumped (the clock of this machine was changed; 2), output.not_removed. See ${path}`,
  });
  await writeFile(path, line(recent, "daemon.not_started", "error") + line(recent, "daemon.started", "info"));
  expect(checkLog(path, now)).toMatchObject({ level: "good" });
  const later = "2030-01-02T11:30:00.000Z";
  await writeFile(path, line(recent, "daemon.started", "info") + line(later, "daemon.not_started", "error"));
  expect(checkLog(path, now)).toMatchObject({ level: "bad" });
  await writeFile(path, line(recent, "runner.lost", "error"));
  expect(checkLog(path, now)).toMatchObject({ level: "bad" });
});
