import { fc } from "./properties.ts";
import { almostTimes, durations, edgesOfDuration, strangers, strangeStrings, times } from "./leaf-values.ts";

export type Schema = Readonly<Record<string, unknown>>;
type Values = fc.Arbitrary<unknown>;

/**
 * Generates values for a named schema. Most nodes are valid, bounds are frequent, and a few nodes are slightly wrong or
 * of another type. The schemas it refers to get valid values only, because each has its own test.
 */
export function jsonValues(name: string, definitions: Readonly<Record<string, Schema>>): Values {
  const whole = new Map<string, Values>();
  const missesOnceIn = 1.5 * countNodes(definitions[name]);
  return valuesOf(definitions[name]!);

  function valuesOf(node: Schema): Values {
    const waysToMiss = 1 + listOf(node["required"]).length / 2;
    return fc.oneof(
      { weight: Math.ceil(missesOnceIn), arbitrary: fitting(node, valuesOf) },
      { weight: Math.ceil(waysToMiss), arbitrary: missing(node) },
    );
  }

  function wholeOf(node: Schema): Values {
    return fitting(node, wholeOf);
  }

  function referred(node: Schema): Schema {
    return definitions[String(node["$ref"]).split("/").at(-1)!]!;
  }

  function wholeReferred(node: Schema): Values {
    const reference = String(node["$ref"]);
    const known = whole.get(reference) ?? wholeOf(referred(node));
    whole.set(reference, known);
    return known;
  }

  function fitting(node: Schema, inner: (node: Schema) => Values): Values {
    if (isDuration(node)) return fc.constantFrom(String(node["x-minimum"]), String(node["x-maximum"]), "1m", "1.5m");
    if ("$ref" in node) return wholeReferred(node);
    const options = listOf(node["anyOf"] ?? node["oneOf"]) as Schema[];
    if (options.length > 0 && node["type"] === undefined) return fc.oneof(...options.map(inner));
    if ("const" in node) return fc.constant(node["const"]);
    if ("enum" in node) return fc.constantFrom(...listOf(node["enum"]));
    if (Array.isArray(node["type"])) return fc.oneof(...node["type"].map((type) => inner({ ...node, type })));
    switch (node["type"]) {
      case "object":
        return objects(node, inner);
      case "array":
        return arrays(node, inner);
      case "string":
        return strings(node);
      case "integer":
        return fc.oneof(fc.integer(rangeOf(node)), fc.constantFrom(...boundsOf(node)));
      case "number":
        return fc.oneof(fc.double({ ...rangeOf(node), noNaN: true }), fc.constantFrom(...boundsOf(node)));
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      default:
        return fc.jsonValue({ maxDepth: 1 });
    }
  }

  function missing(node: Schema): Values {
    if (isDuration(node)) return fc.oneof(fc.constantFrom(...edgesOfDuration(node)), durations, strangers);
    if ("$ref" in node) return missing(referred(node));
    return fc.oneof({ weight: 3, arbitrary: nearMisses(node) }, { weight: 1, arbitrary: strangers });
  }

  function nearMisses(node: Schema): Values {
    if (node["format"] === "date-time") return fc.oneof(almostTimes, strangeStrings);
    if (node["type"] === "string") return fc.oneof(strangeStrings, longStrings(node));
    if (node["type"] === "integer" || node["type"] === "number") return fc.constantFrom(...justOutside(node));
    if (node["type"] === "array") return crowds(node);
    if (node["type"] === "object") return brokenObjects(node);
    return strangers;
  }

  function objects(node: Schema, inner: (node: Schema) => Values): Values {
    const properties = Object.entries((node["properties"] ?? {}) as Record<string, Schema>);
    const extra = node["additionalProperties"];
    if (properties.length === 0 && typeof extra === "object") {
      const keys = strings((node["propertyNames"] ?? { type: "string" }) as Schema) as fc.Arbitrary<string>;
      return fc.dictionary(keys, inner(extra as Schema), { maxKeys: 3 });
    }
    const members = Object.fromEntries(properties.map(([property, schema]) => [property, inner(schema)]));
    return fc.record(members, { requiredKeys: listOf(node["required"]) as string[] });
  }

  function brokenObjects(node: Schema): Values {
    const objectsAsWanted = objects(node, wholeOf) as fc.Arbitrary<object>;
    const required = fc.constantFrom("none", ...(listOf(node["required"]) as string[]));
    const without = fc.tuple(objectsAsWanted, required).map(([value, left]) => omit(value, left));
    // zod drops a record's member of this name without a check, so only objects with listed members get it
    const prototype = "properties" in node ? ["__proto__"] : [];
    const names = fc.oneof(fc.constantFrom("unknown", "", "constructor", "Ä b:", ...prototype), strangeStrings);
    const withMore = fc
      .tuple(objectsAsWanted, names, strangers)
      .map(([value, more, stranger]) => Object.fromEntries([...Object.entries(value), [more, stranger]]));
    const most = node["maxProperties"];
    if (typeof most !== "number") return fc.oneof(without, withMore);
    const full = fc.constantFrom(most, most + 1).map((count) => Object.fromEntries(numbered(count)));
    return fc.oneof(without, withMore, full);
  }

  function arrays(node: Schema, inner: (node: Schema) => Values): Values {
    const minLength = (node["minItems"] ?? 0) as number;
    return fc.array(inner((node["items"] ?? {}) as Schema), { minLength, maxLength: minLength + 3 });
  }

  /**
   * Arrays without items, with the maximum number of items, and with one more. Arrays of expensive items stay short.
   */
  function crowds(node: Schema): Values {
    const item = (node["items"] ?? {}) as Schema;
    const most = "type" in item && item["type"] !== "object" ? Number(node["maxItems"] ?? 3) : 3;
    return fc
      .tuple(wholeOf(item), fc.constantFrom(0, most, most + 1))
      .map(([each, length]) => Array.from({ length }, () => each));
  }
}

function strings(node: Schema): Values {
  if (node["format"] === "date-time") return times;
  const patterns = [node, ...(listOf(node["allOf"]) as Schema[])].map((each) => each["pattern"]);
  const pattern = patterns.findLast((each) => typeof each === "string");
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, "u"), { size: "-1" });
  const minLength = (node["minLength"] ?? 0) as number;
  const maxLength = Math.min((node["maxLength"] ?? 20) as number, minLength + 20);
  return fc.string({ unit: "grapheme", minLength, maxLength });
}

/** At and just over the bounds on a string's length, in characters of one, two and four bytes. */
function longStrings(node: Schema): Values {
  const bound = Number(node["maxLength"] ?? node["x-maximum-bytes"] ?? 200);
  return fc
    .tuple(
      fc.constantFrom("a", "é", "\u{1f514}"),
      fc.constantFrom(0, 1),
      fc.constantFrom(1, 2, 4),
      fc.constantFrom("", "/", " "),
    )
    .map(
      ([character, over, share, first]) => first + character.repeat(Math.floor(bound / share) + over - first.length),
    );
}

function isDuration(node: Schema): boolean {
  return "x-minimum" in node && node["format"] !== "date-time";
}

function rangeOf(node: Schema): { min: number; max: number } {
  return { min: (node["minimum"] ?? -1000) as number, max: (node["maximum"] ?? 1000) as number };
}

function boundsOf(node: Schema): number[] {
  return [node["minimum"], node["maximum"], 1].filter((bound) => typeof bound === "number");
}

function justOutside(node: Schema): number[] {
  const { min, max } = rangeOf(node);
  return [min - 1, max + 1, min - 1, max + 1, min + 0.5, Number.MAX_SAFE_INTEGER + 1, -1e300];
}

function numbered(count: number): [string, string][] {
  return Array.from({ length: count }, (_, index) => [`n${index}`, "v"]);
}

function omit(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function countNodes(node: unknown): number {
  if (typeof node !== "object" || node === null) return 0;
  const own = "type" in node || "$ref" in node ? 1 : 0;
  return Object.values(node).reduce((sum: number, each) => sum + countNodes(each), own);
}
