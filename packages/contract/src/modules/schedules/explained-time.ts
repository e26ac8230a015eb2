import { z } from "zod";
import { orNull, Timestamp } from "../../core/scalars.ts";

/** What `why` says of a schedule beside its decision. */
export const explainedTime = {
  instant: orNull(Timestamp).meta({
    description: "The scheduled time that the decision is about: the latest at or before `at`",
  }),
  reason: z.string().meta({ description: "The decision explained in a sentence" }),
  state: z.enum(["enabled", "paused", "disabled"]).meta({
    description: "The present state of the schedule, whatever `at` is. A disabled schedule may be paused too",
  }),
  paused_until: orNull(Timestamp).meta({
    description: "If `state` is `paused`: when the schedule resumes; null if it stays paused until it is resumed",
  }),
};
