import { z } from "zod";
import { instantPattern } from "@belfry/webhook-schema";

/** A time in UTC. The format is an annotation: the pattern alone decides, so that every validator decides alike. */
export const Instant = z
  .string()
  .regex(new RegExp(instantPattern))
  .meta({ id: "Instant", format: "date-time", description: "RFC 3339 in UTC, with or without fractional seconds" });

export const Text = z.string().min(1);
