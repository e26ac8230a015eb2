import { fc } from "@belfry/test-kit/properties";
import { describe, expect, it } from "vitest";
import { parseInstant } from "../../../kernel/time/time.ts";
import { compileTiming } from "./compile-timing.ts";
import { openOffsets } from "./offset-reader.ts";
import { canonicalZoneName, openZone, readZone, ZoneError } from "./zone.ts";

function refusal(name: string): string {
  try {
    canonicalZoneName(name);
  } catch (error) {
    if (error instanceof ZoneError) return error.message;
    throw error;
  }
  throw new Error(`${name} was accepted`);
}

describe("names of zones", () => {
  it("are all accepted if the running Node lists them, in any case", () => {
    const names = Intl.supportedValuesOf("timeZone");
    expect(names.map((name) => canonicalZoneName(name))).toEqual(names);
    expect(names.map((name) => canonicalZoneName(name.toLowerCase()))).toEqual(names);
    expect(names.map((name) => canonicalZoneName(name.toUpperCase()))).toEqual(names);
  });

  it.each([
    ["UTC", "UTC"],
    ["utc", "UTC"],
    ["Etc/UTC", "Etc/UTC"],
    ["etc/gmt+5", "Etc/GMT+5"],
    ["GMT", "GMT"],
    ["US/Eastern", "US/Eastern"],
    ["asia/kolkata", "Asia/Kolkata"],
    ["Asia/Calcutta", "Asia/Calcutta"],
    ["europe/kyiv", "Europe/Kyiv"],
    ["EST5EDT", "EST5EDT"],
    ["NZ-CHAT", "NZ-CHAT"],
  ])("%s is accepted as %s", (name, canonical) => {
    expect(canonicalZoneName(name)).toBe(canonical);
  });

  it.each([
    ["Europe/Berln", `"Europe/Berln" is not a known time zone: did you mean "Europe/Berlin"?`],
    ["New_York", `"New_York" is not a known time zone: did you mean "America/New_York"?`],
    ["new york", `"new york" is not a known time zone: did you mean "America/New_York"?`],
    ["Europe/New_York", `"Europe/New_York" is not a known time zone: did you mean "America/New_York"?`],
    ["Amercia/Chicago", `"Amercia/Chicago" is not a known time zone: did you mean "America/Chicago"?`],
    ["Kolkata", `"Kolkata" is not a known time zone: did you mean "Asia/Kolkata"?`],
    [
      "Amerika/Argentina/Ushuaia",
      `"Amerika/Argentina/Ushuaia" is not a known time zone: did you mean "America/Argentina/Ushuaia"?`,
    ],
    [" UTC", `" UTC" is not a known time zone: did you mean "UTC"?`],
    ["IST", `"IST" is not a known time zone: use an IANA name such as "Europe/Berlin"`],
    ["Middle/Earth/Mordor", `"Middle/Earth/Mordor" is not a known time zone: use an IANA name such as "Europe/Berlin"`],
    ["2026-01-01T00:00Z[Europe/Paris]", `"2026-01-01T00:00Z[Europe/Paris]" is not a known time zone`],
    ["", `"" is not a known time zone`],
    ["+02:00", `"+02:00" is an offset, which has no daylight saving rules: use a time zone such as "Europe/Berlin"`],
    ["-0530", `"-0530" is an offset, which has no daylight saving rules`],
  ])("%j is refused", (name, message) => {
    expect(refusal(name).slice(0, message.length)).toBe(message);
  });

  it("a very long name is refused without being repeated", () => {
    expect(refusal("x".repeat(100_000)).length).toBeLessThan(300);
  });
});

describe("spans of one offset", () => {
  const hourMs = 3_600_000;

  it("meet at each change of clocks", () => {
    const zone = openZone("America/New_York");
    const change = parseInstant("2026-03-08T07:00:00Z");
    expect(zone.spanAt(change - 1)).toMatchObject({ until: change, offsetMs: -5 * hourMs });
    expect(zone.spanAt(change)).toMatchObject({ from: change, offsetMs: -4 * hourMs });
  });

  it("cover all time without a gap, before 1900 and after 2100 too", () => {
    const zone = openZone("Europe/Berlin");
    const until = parseInstant("2150-01-01T00:00:00Z");
    for (let at = parseInstant("1850-01-01T00:00:00Z"); at < until;) {
      const span = zone.spanAt(at);
      expect(span.from).toBeLessThanOrEqual(at);
      expect(span.until).toBeGreaterThan(at);
      expect(zone.spanAt(span.until).from).toBe(span.until);
      at = span.until;
    }
    expect(zone.spanAt(parseInstant("2149-07-01T00:00:00Z")).offsetMs).toBe(2 * hourMs);
  });

  it("have the offset that Intl prints, in every zone and century", () => {
    const formats = new Map<string, Intl.DateTimeFormat>();
    const printed = (zone: string, instant: number): number => {
      const format = formats.get(zone) ?? new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
      formats.set(zone, format);
      const [, sign, hours = 0, minutes = 0, seconds = 0] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(
        format.format(instant),
      )!;
      return (sign === "-" ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
    };
    const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
    const instants = fc.integer({ min: Date.UTC(1800, 0) / 1000, max: Date.UTC(2500, 0) / 1000 });
    const check = fc.property(zones, instants, (name, second) => {
      const span = openZone(name).spanAt(second * 1000);
      for (const at of [span.from, second * 1000, span.until - 1000]) expect(span.offsetMs).toBe(printed(name, at));
    });
    fc.assert(check, { numRuns: 2_000 });
  });

  it.each(["0 0 29 2 *", "0 0 1 1 *", "30 2 * 3 0#2", "0 0 * 2 mon#5"])(
    "each of a hundred occurrences of %s, years apart, needs few readings of the zone's clock",
    (expression) => {
      let readings = 0;
      const offsetAt = openOffsets("America/New_York");
      const zone = readZone("America/New_York", (instant) => {
        readings += 1;
        return offsetAt(instant);
      });
      const dst = { gap: "run_after", overlap: "first" } as const;
      const bounds = { zone: zone.name, startsAt: null, endsAt: null };
      const timing = compileTiming({ kind: "cron", expression, dst, ...bounds }, zone);
      for (let count = 0, at = Date.UTC(1970, 0); count < 100; count += 1) at = timing.next(at)!;
      // a search for a change of offset within a year took several hundred readings
      expect(readings).toBeLessThan(100 * 15);
    },
  );
});
