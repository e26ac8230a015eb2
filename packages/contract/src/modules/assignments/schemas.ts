import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { exampleIds, referenceTo } from "../../core/references.ts";
import { Name, orNull, ResourceId, Revision } from "../../core/scalars.ts";

const outcomes = {
  on_success: z.boolean(),
  on_failure: z.boolean().meta({ description: "At least one of `on_success` and `on_failure` must be true" }),
};

const assigned = { channel_id: exampleIds.notification_channel, on_success: false, on_failure: true };

/** The outcomes that a channel is notified of. */
export const NotificationAssignment = z
  .object({ channel_id: ResourceId, ...outcomes })
  .meta({ id: "NotificationAssignment" });
export type NotificationAssignment = z.output<typeof NotificationAssignment>;

export const NotificationAssignmentInput = z
  .strictObject({ channel_id: referenceTo("notification_channel"), ...outcomes })
  .meta({ id: "NotificationAssignmentInput", examples: [assigned] });

export const NotificationAssignmentsReplace = z
  .strictObject({
    assignments: z
      .array(NotificationAssignmentInput)
      .max(limits.assignmentsMax)
      .meta({ examples: [[assigned]] }),
  })
  .meta({
    id: "NotificationAssignmentsReplace",
    description:
      "The complete list of the assignments of a task or group, each channel at most once. With an empty list, the task or group inherits again",
  });
export type NotificationAssignmentsReplace = z.output<typeof NotificationAssignmentsReplace>;

export const NotificationAssignments = z
  .object({ assignments: z.array(NotificationAssignment), revision: Revision })
  .meta({
    id: "NotificationAssignments",
    description: "A task's or group's own assignments, without inherited ones",
  });
export type NotificationAssignments = z.output<typeof NotificationAssignments>;

export const notificationScopes = ["task", "group"] as const;
export type NotificationScope = (typeof notificationScopes)[number];

export const NotificationSource = z
  .object({ scope: z.enum(notificationScopes), id: ResourceId, name: Name })
  .meta({ id: "NotificationSource" });

/** A task or a group that notifies a channel. */
export const ChannelAssignment = z
  .object({
    scope: z.enum(notificationScopes),
    id: ResourceId,
    name: Name,
    group_path: z.string().nullable().meta({
      description:
        "The names of the groups around the task or group, joined by `/`, outermost first. Null if it is in no group",
    }),
    ...outcomes,
  })
  .meta({ id: "ChannelAssignment" });
export type ChannelAssignment = z.output<typeof ChannelAssignment>;

export const EffectiveNotifications = z
  .object({ source: orNull(NotificationSource), assignments: z.array(NotificationAssignment) })
  .meta({
    id: "EffectiveNotifications",
    description:
      "The assignments that apply to a task. `source` is the task or group that they come from; null if no assignment applies",
  });
export type EffectiveNotifications = z.output<typeof EffectiveNotifications>;
