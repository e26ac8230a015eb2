import fc from "fast-check";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type Schema = Readonly<Record<string, unknown>>;

/**
 * Values for a JSON schema: most nodes as it wants them, with its bounds more often than chance would give, and a few
 * that miss it by a little or by kind. About half the values of a schema are whole.
 */
export function jsonValues(schema: Schema, definitions: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
  const missesOnceIn = Math.max(2, Math.min(60, 2 * countNodes(schema)));
  return valuesOf(schema);

  function valuesOf(node: Schema): fc.Arbitrary<unknown> {
    return fc.oneof({ weight: missesOnceIn, arbitrary: fitting(node) }, { weight: 1, arbitrary: missing(node) });
  }

  function fitting(node: Schema): fc.Arbitrary<unknown> {
    if ("x-minimum" in node) return fc.oneof(durations, fc.constantFrom(...edgesOfDuration(node)));
    if (typeof node["$ref"] === "string") return valuesOf(definitions[nameIn(node["$ref"])]!);
    const options = (node["anyOf"] ?? node["oneOf"]) as Schema[] | undefined;
    if (options !== undefined && node["type"] === undefined) return fc.oneof(...options.map(valuesOf));
    if ("const" in node) return fc.constant(node["const"]);
    if ("enum" in node) return fc.constantFrom(...(node["enum"] as unknown[]));
    if (Array.isArray(node["type"])) return fc.oneof(...node["type"].map((type) => valuesOf({ ...node, type })));
    switch (node["type"]) {
      case "object":
        return objects(node);
      case "array":
        return arrays(node);
      case "string":
        return strings(node);
      case "integer":
        return fc.oneof(fc.integer(rangeOf(node)), fc.constantFrom(...edges(node)));
      case "number":
        return fc.oneof(fc.double({ ...rangeOf(node), noNaN: true }), fc.constantFrom(...edges(node)));
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      default:
        return fc.jsonValue({ maxDepth: 1 });
    }
  }

  function missing(node: Schema): fc.Arbitrary<unknown> {
    const near: fc.Arbitrary<unknown>[] = [strangers];
    if (node["type"] === "string" || "$ref" in node) near.push(strangeStrings, longStrings(node));
    if (node["type"] === "integer" || node["type"] === "number") near.push(fc.constantFrom(...justOutside(node)));
    if (node["type"] === "array") near.push(crowds(node));
    if (node["type"] === "object") near.push(brokenObjects(node));
    return fc.oneof(...near);
  }

  function objects(node: Schema): fc.Arbitrary<unknown> {
    const properties = Object.entries((node["properties"] ?? {}) as Record<string, Schema>);
    const extra = node["additionalProperties"];
    if (properties.length === 0 && typeof extra === "object") {
      const keys = strings((node["propertyNames"] ?? { type: "string" }) as Schema) as fc.Arbitrary<string>;
      return fc.dictionary(keys, valuesOf(extra as Schema), { maxKeys: 3 });
    }
    return fc.record(Object.fromEntries(properties.map(([name, property]) => [name, valuesOf(property)])), {
      requiredKeys: (node["required"] ?? []) as string[],
    });
  }

  function brokenObjects(node: Schema): fc.Arbitrary<unknown> {
    const required = (node["required"] ?? []) as string[];
    const names = required.length === 0 ? fc.constant("none") : fc.constantFrom(...required);
    const without = fc.tuple(objects(node), names).map(([value, name]) => omit(value as object, name));
    const strangeNames = fc.oneof(fc.constantFrom("unknown", "", "__proto__", "constructor", "Ä b:"), strangeStrings);
    const withMore = fc
      .tuple(objects(node), strangeNames, strangers)
      .map(([value, name, stranger]) => Object.fromEntries([...Object.entries(value as object), [name, stranger]]));
    const most = node["maxProperties"] as number | undefined;
    if (most === undefined) return fc.oneof(without, withMore);
    const crowd = fc.constantFrom(most, most + 1).map((count) => Object.fromEntries(numbered(count)));
    return fc.oneof(without, withMore, crowd);
  }

  function arrays(node: Schema): fc.Arbitrary<unknown> {
    const minLength = (node["minItems"] ?? 0) as number;
    return fc.array(valuesOf((node["items"] ?? {}) as Schema), { minLength, maxLength: minLength + 3 });
  }

  function crowds(node: Schema): fc.Arbitrary<unknown> {
    const most = (node["maxItems"] ?? 3) as number;
    return fc
      .tuple(fitting((node["items"] ?? {}) as Schema), fc.constantFrom(0, Math.min(most, 300), Math.min(most + 1, 300)))
      .map(([item, length]) => Array.from({ length }, () => item));
  }

  function countNodes(node: unknown): number {
    if (typeof node !== "object" || node === null) return 0;
    const reference = "$ref" in node ? countNodes(definitions[nameIn(String(node.$ref))]) : 0;
    return (
      reference + Object.values(node).reduce((sum: number, each) => sum + countNodes(each), "type" in node ? 1 : 0)
    );
  }
}

const strangers: fc.Arbitrary<unknown> = fc.constantFrom(null, true, 0, -1, 1.5, "", "true", [], [null], {}, { a: 1 });

const strangeStrings = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("\0", " ", "\t", "\n", "é", "\u{1f514}", "\ud800", "a\0b", " padded ", "line\n", "\u0085", "\ufeffx"),
);

const durations = fc
  .tuple(fc.integer({ min: 0, max: 2000 }), fc.constantFrom("", ".5", ".0005"), fc.constantFrom("ms", "s", "m", "h", "d"))
  .map((parts) => parts.join(""));

const times = fc.oneof(
  fc
    .tuple(
      fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
      fc.constantFrom("Z", "+00:00", "-03:30", "+23:59"),
    )
    .map(([date, offset]) => date.toISOString().replace("Z", offset)),
  fc.constantFrom("2024-02-29T00:00:00Z", "2026-11-21T01:18:00.123456789Z", "0000-01-01T00:00:00Z"),
);

const almostTimes = fc.constantFrom(
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

function strings(node: Schema): fc.Arbitrary<unknown> {
  if (node["format"] === "date-time") return fc.oneof({ weight: 5, arbitrary: times }, { weight: 1, arbitrary: almostTimes });
  const patterns = [node, ...((node["allOf"] ?? []) as Schema[])].map((each) => each["pattern"]).filter((each) => typeof each === "string");
  const [pattern] = patterns.toReversed();
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, "u"), { size: "-1" });
  const minLength = (node["minLength"] ?? 0) as number;
  const maxLength = (node["maxLength"] ?? 20) as number;
  return fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, minLength + 20) });
}

/** Right at and just over the bounds on a string's length, in characters of one, two and four bytes. */
function longStrings(node: Schema): fc.Arbitrary<unknown> {
  const bounds = [node["maxLength"], node["x-maximum-bytes"]].filter((bound) => typeof bound === "number");
  const bound = bounds[0] ?? 200;
  return fc
    .tuple(fc.constantFrom("a", "é", "\u{1f514}"), fc.constantFrom(0, 1), fc.constantFrom(1, 2, 4), fc.constantFrom("", "/", " "))
    .map(([character, over, share, first]) => first + character.repeat(Math.floor(bound / share) + over - first.length));
}

function edgesOfDuration(node: Schema): string[] {
  const [minimum, maximum] = [String(node["x-minimum"]), String(node["x-maximum"])];
  return [minimum, maximum, maximum.replace(/(?=[a-z])/, ".000001"), "0s", "0.4ms", "0.5ms", "999999999999999d"];
}

function rangeOf(node: Schema): { min: number; max: number } {
  return { min: (node["minimum"] ?? -1000) as number, max: (node["maximum"] ?? 1000) as number };
}

function edges(node: Schema): number[] {
  const { min, max } = rangeOf(node);
  return [min, max];
}

function justOutside(node: Schema): number[] {
  const { min, max } = rangeOf(node);
  return [min - 1, max + 1, min + 0.5, Number.MAX_SAFE_INTEGER + 1, -Number.MAX_SAFE_INTEGER - 1, 1e300];
}

function numbered(count: number): [string, string][] {
  return Array.from({ length: count }, (_, index) => [`n${index}`, "v"]);
}

function omit(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
