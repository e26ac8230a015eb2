import { afterAll, beforeAll, expect, test } from "vitest";
import { formatBytes, formatLocal, formatRelative, formatSpan, formatElapsed } from "./time.ts";

const zone = process.env["TZ"];
beforeAll(() => void (process.env["TZ"] = "America/St_Johns"));
afterAll(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

test("a timestamp is shown in the local time zone, with its offset", () => {
  expect(formatLocal("2026-11-21T13:00:00.500Z")).toBe("2026-11-21 09:30:00 -03:30");
  expect(formatLocal("2026-07-01T00:00:00Z")).toBe("2026-06-30 21:30:00 -02:30");
  expect(formatLocal(null)).toBe("-");
});

test("a span shows its two largest units", () => {
  expect([500, 4_000, 185_000, 7_200_000, 93_600_000].map(formatSpan)).toEqual(["0s", "4s", "3m 5s", "2h", "1d 2h"]);
});

test("a relative time shows its direction", () => {
  const nowMs = Date.parse("2026-11-21T13:00:00Z");
  expect(formatRelative("2026-11-21T18:00:00Z", nowMs)).toBe("in 5h");
  expect(formatRelative("2026-11-21T12:57:00Z", nowMs)).toBe("3m ago");
  expect(formatRelative("2026-11-21T13:00:00.400Z", nowMs)).toBe("now");
});

test("durations and sizes use a suitable unit", () => {
  expect([null, 87, 1_240, 185_000].map(formatElapsed)).toEqual(["-", "87ms", "1.2s", "3m 5s"]);
  expect([0, 999, 1_536, 150 * 1_024, 3.4 * 1_024 ** 2, 80 * 1_024 ** 3].map(formatBytes)).toEqual([
    "0 B",
    "999 B",
    "1.5 KiB",
    "150 KiB",
    "3.4 MiB",
    "80.0 GiB",
  ]);
});
