import { tempDir } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkLog } from "./log-check.ts";

const now = Date.parse("2030-01-02T12:00:00Z");
const line = (at: string, event: string, level = "warn", more: object = {}): string =>
  `${JSON.stringify({ at, level, event, ...more })}\n`;

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

test("an error that is over is a warning, and one that is present stays an error", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "belfry.log");
  const at = "2030-01-02T11:00:00.000Z";
  const error = (event: string, more: object = {}): string => line(at, event, "error", more);
  const info = (event: string, more: object = {}): string => line(at, event, "info", more);
  const [database, key] = [{ path: "/d/belfry.db" }, { path: "/d/sealing.key" }];
  const levelOf = async (...lines: readonly string[]): Promise<string> => {
    await writeFile(path, lines.join(""));
    return checkLog(path, now).level;
  };
  const started = info("daemon.started");
  expect(await levelOf(started, error("storage.restored", key))).toBe("warn");
  expect(await levelOf(started, error("storage.broken", database))).toBe("bad");
  expect(await levelOf(started, error("storage.broken", database), info("storage.recovered", key))).toBe("bad");
  expect(await levelOf(started, error("storage.broken", database), info("storage.recovered", database))).toBe("warn");
  expect(checkLog(path, now).text).toBe(`errors in the last 24 hours that are over: storage.broken. See ${path}`);
  const again = [error("storage.broken", database), info("storage.recovered", database)];
  expect(await levelOf(started, ...again, error("storage.broken", database))).toBe("bad");

  // a port conflict at the start is logged before the start is complete
  const conflict = error("remote.not_reachable");
  const former = [started, info("daemon.stopped")];
  expect(await levelOf(...former, conflict, started)).toBe("bad");
  expect(await levelOf(...former, conflict, started, info("remote.listening"))).toBe("warn");

  // what a former daemon suffered is over once another one has started
  for (const end of [info("daemon.stopped"), line(at, "daemon.former_killed")]) {
    expect(await levelOf(started, error("engine.round_failed"), end, started)).toBe("warn");
    expect(await levelOf(started, error("engine.round_failed"), end)).toBe("bad");
  }
});
