import { z } from "zod";
import { boundedRecord } from "../../core/bounded-record.ts";
import { limits } from "../../core/limits.ts";
import { secret } from "../../core/secret.ts";

/** A name every shell can read: dash drops the others. */
export const EnvironmentName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be letters, digits and underscores, not beginning with a digit")
  .max(200);

const withoutNul = new RegExp(String.raw`^[^\u0000]*$`);

/** Fits one string of the system: under 128 KiB and without NUL. */
export function systemString(what: string) {
  return z
    .string()
    .regex(withoutNul, `${what} must not hold a NUL character`)
    .refine((text) => new TextEncoder().encode(text).length <= limits.stringBytesMax, `${what} must be under 128 KiB`)
    .meta({ "x-maximum-bytes": limits.stringBytesMax });
}

export const EnvironmentValue = systemString("a value");

/** Names and values, write-only: reads show the names. */
export const EnvironmentInput = secret(
  boundedRecord(z.record(EnvironmentName, EnvironmentValue), { max: limits.environmentNamesMax, noun: "names" }),
);

/** Merged by name; null removes one. Every name may be exchanged for another at once. */
export const EnvironmentPatch = secret(
  boundedRecord(z.record(EnvironmentName, z.union([EnvironmentValue, z.null()])), {
    max: 2 * limits.environmentNamesMax,
    noun: "names",
  }),
);

export const EnvironmentNames = z
  .array(z.string())
  .meta({ description: "Sorted names of the environment; values are write-only" });
