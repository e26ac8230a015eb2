import { z } from "zod";
import { referenceTo } from "../../core/references.ts";
import { Description, Name, orNull, ResourceId, Timestamp } from "../../core/scalars.ts";

/** `requested`: by a caller. `restored` and `moved`: by the daemon itself, when it started with data from elsewhere. */
export const holdCauses = ["requested", "restored", "moved"] as const;
export type HoldCause = (typeof holdCauses)[number];

const until = orNull(Timestamp).meta({
  description: "When the daemon releases the hold by itself; null if only a caller releases it",
});
const reason = orNull(Description).meta({ description: "Why the tasks are held, in the caller's words" });

export const Hold = z
  .object({
    id: ResourceId,
    group_id: orNull(ResourceId).meta({ description: "The held group; null if all tasks are held" }),
    group_name: orNull(Name),
    cause: z.enum(holdCauses).meta({
      description:
        "`requested`: by a caller. `restored`: the data directory was restored from a backup. `moved`: it came from another machine. While the cause is `restored` or `moved`, no webhook is sent",
    }),
    reason,
    until,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Hold" });
export type Hold = z.output<typeof Hold>;

const groupId = orNull(referenceTo("group"))
  .default(null)
  .meta({ description: "The group, with its subgroups; null for all tasks" });

export const HoldPlace = z
  .strictObject({ group_id: groupId, until: until.default(null), reason: reason.default(null) })
  .meta({ id: "HoldPlace" });
export type HoldPlace = z.output<typeof HoldPlace>;

export const HoldRelease = z
  .strictObject({
    group_id: groupId,
    cause: z.enum(holdCauses).default("requested").meta({
      description:
        "The cause of the hold to release. A hold of another cause is not released: release a `restored` or `moved` one when the original no longer runs",
    }),
  })
  .meta({ id: "HoldRelease" });
export type HoldRelease = z.output<typeof HoldRelease>;
