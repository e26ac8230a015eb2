import { z } from "zod";
import { boundedRecord } from "../../core/bounded-record.ts";
import { limits } from "../../core/limits.ts";
import { orNull } from "../../core/scalars.ts";
import { secret } from "../../core/secret.ts";

/** A name that every shell can read; dash drops other names. */
export const EnvironmentName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must consist of letters, digits and underscores, and not start with a digit")
  .max(200);

const withoutNul = new RegExp(String.raw`^[^\u0000]*$`);

/** A string that the system accepts as an argument: under 128 KiB and without NUL. */
export function systemString() {
  return z
    .string()
    .regex(withoutNul, "must not contain a NUL character")
    .refine((text) => new TextEncoder().encode(text).length <= limits.stringBytesMax, "must be shorter than 128 KiB")
    .meta({ "x-maximum-bytes": limits.stringBytesMax });
}

export const EnvironmentValue = systemString();

/** Names and values, write-only: only the names are returned. */
export const EnvironmentInput = secret(
  boundedRecord(z.record(EnvironmentName, EnvironmentValue).meta({ examples: [{ LEVEL: "full" }] }), {
    max: limits.environmentNamesMax,
    noun: "variable",
  }),
);

/** Merged by name; null removes a variable. One patch may remove the maximum number of variables and add the same number. */
export const EnvironmentPatch = secret(
  boundedRecord(
    z.record(EnvironmentName, orNull(EnvironmentValue)).meta({ examples: [{ LEVEL: "full", OLD: null }] }),
    {
      max: 2 * limits.environmentNamesMax,
      noun: "variable",
    },
  ),
);

export const EnvironmentNames = z
  .array(z.string())
  .meta({ description: "The names of the environment variables, sorted, without their values" });
