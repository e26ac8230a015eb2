import { fc } from "./properties.ts";

/** Values that are valid in few schemas. */
export const strangers: fc.Arbitrary<unknown> = fc.constantFrom(
  null,
  true,
  0,
  -1,
  1.5,
  "",
  "true",
  [],
  [null],
  {},
  { a: 1 },
);

export const strangeStrings = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("\0", " ", "\t", "\n", "é", "\u{1f514}", "\ud800", "a\0b", " padded ", "line\n", "\u0085", "\ufeffx"),
);

export const durations = fc
  .tuple(
    fc.integer({ min: 0, max: 2_000 }),
    fc.constantFrom("", ".5", ".0005"),
    fc.constantFrom("ms", "s", "m", "h", "d"),
  )
  .map((parts) => parts.join(""));

/** Durations at the bounds and just beyond them, durations that round to a bound, and invalid forms. */
export function edgesOfDuration(node: Readonly<Record<string, unknown>>): string[] {
  const [minimum, maximum] = [String(node["x-minimum"]), String(node["x-maximum"])];
  const beyond = maximum.replace(/\d+/, (whole) => String(Number(whole) + 1));
  const barelyBeyond = maximum.replace(/(?=[a-z])/, ".000001");
  return [
    minimum,
    maximum,
    beyond,
    barelyBeyond,
    "0s",
    "0.4ms",
    "0.5ms",
    "0.999s",
    "999999999999999d",
    "1w",
    "-1s",
    "1 s",
  ];
}

const instants = fc.date({ min: new Date("1970-01-02"), max: new Date("9999-12-30"), noInvalidDate: true });

export const times = fc.oneof(
  fc
    .tuple(instants, fc.constantFrom("Z", "+00:00", "-03:30", "+23:59"))
    .map(([date, offset]) => date.toISOString().replace("Z", offset)),
  fc.constantFrom(
    "2024-02-29T00:00:00Z",
    "2026-11-21T01:18:00.123456789Z",
    "1970-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
  ),
);

export const almostTimes = fc.constantFrom(
  "0000-01-01T00:00:00Z",
  "1969-12-31T23:59:59.999Z",
  "1970-01-01T00:00:00+00:01",
  "1970-01-01T12:00:00+12:00",
  "9999-12-31T11:59:59-12:00",
  "1969-12-31T23:00:00-01:00",
  "9999-12-31T23:59:59.9999Z",
  "9999-12-31T23:59:59-00:01",
  "2026-02-29T00:00:00Z",
  "2026-11-31T00:00:00Z",
  "2026-11-21T23:59:60Z",
  "2026-11-21T24:00:00Z",
  "2026-11-21T01:18Z",
  "2026-11-21 01:18:00Z",
  "2026-11-21t01:18:00z",
  "2026-11-21T01:18:00",
  "2026-11-21T01:18:00+24:00",
  "2026-11-21T01:18:00+0100",
  "2026-11-21T01:18:00.Z",
  "2026-11-21",
);
