import { z } from "zod";
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
  z
    .record(EnvironmentName, EnvironmentValue)
    .refine(
      (all) => Object.keys(all).length <= limits.environmentNamesMax,
      `at most ${limits.environmentNamesMax} names`,
    )
    .meta({ maxProperties: limits.environmentNamesMax }),
);

/** Merged by name; null removes one. */
export const EnvironmentPatch = secret(z.record(EnvironmentName, z.union([EnvironmentValue, z.null()])));

export const EnvironmentNames = z
  .array(z.string())
  .meta({ description: "Sorted names of the environment; values are write-only" });
