import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { OpenApiDocument } from "@belfry/contract/openapi";

/**
 * Creates a validator from the document alone: JSON Schema 2020-12, and the three keywords that its description
 * defines. They are implemented from that description, not with the contract's code.
 */
export function createDocumentValidator(
  document: OpenApiDocument,
  more: Readonly<Record<string, object>> = {},
): (name: string) => ValidateFunction {
  // "one of these two is required" names members that its parent describes
  const ajv = new Ajv2020({ strict: true, strictRequired: false });
  addFormats.default(ajv, ["date-time"]);
  // the format only describes the purpose of the text: the daemon has its own rules for endpoints
  ajv.addFormat("uri", true);
  // who sees a member, which says nothing about its value
  ajv.addVocabulary(["components", "discriminator", "x-event", "x-minimum-capability", "x-remote"]);
  ajv.addKeyword({
    keyword: "x-maximum-bytes",
    validate: (most: number, value: unknown) => typeof value !== "string" || Buffer.byteLength(value) <= most,
  });
  ajv.addKeyword({
    keyword: "x-minimum",
    validate: (least: string, value: unknown) => compare(value, least, (a, b) => a >= b),
  });
  ajv.addKeyword({
    keyword: "x-maximum",
    validate: (most: string, value: unknown) => compare(value, most, (a, b) => a <= b),
  });
  const schemas = { ...document.components?.schemas, ...more };
  ajv.addSchema({ $id: "https://belfry.invalid/", components: { schemas } });
  return (name) => ajv.compile({ $ref: `https://belfry.invalid/#/components/schemas/${name}` });
}

function compare(value: unknown, bound: string, holds: (a: bigint, b: bigint) => boolean): boolean {
  const [a, b] = bound.includes("T")
    ? [millisecondsOfTime(value), millisecondsOfTime(bound)]
    : [wholeMilliseconds(value), wholeMilliseconds(bound)];
  return a === null || b === null || holds(a, b);
}

function millisecondsOfTime(value: unknown): bigint | null {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? null : BigInt(ms);
}

const nanosecondsPer: Record<string, bigint> = {
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
};

/** The duration in milliseconds, computed exactly and then rounded. Null if the pattern refuses the value anyway. */
function wholeMilliseconds(value: unknown): bigint | null {
  const match = typeof value === "string" ? /^(\d+)(?:\.(\d+))?([a-z]+)$/.exec(value) : null;
  const [, whole = "", fraction = "", unit = ""] = match ?? [];
  const scale = nanosecondsPer[unit];
  if (scale === undefined) return null;
  const nanoseconds = (BigInt(whole + fraction.padEnd(9, "0")) * scale) / 1_000_000_000n;
  return (nanoseconds + 500_000n) / 1_000_000n;
}
