import type { ChannelAssignment } from "@belfry/client";
import type { Column } from "../output/table.ts";
import { outcomesOf } from "./notified.ts";

export const channelAssignmentColumns: readonly Column<ChannelAssignment>[] = [
  { title: "NOTIFIED BY", text: ({ scope }) => scope },
  { title: "NAME", text: pathOf, isFlexible: true },
  { title: "ON", text: outcomesOf },
];

const namedMax = 5;

/** `task Backups/Nightly, group Web and 3 more` */
export function assignedText(assignments: readonly ChannelAssignment[]): string {
  const named = assignments.slice(0, namedMax).map((each) => `${each.scope} ${pathOf(each)}`);
  const more = assignments.length - named.length;
  return `${named.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}

/** Groups and tasks in the order of their paths. */
export function byPath(assignments: readonly ChannelAssignment[]): readonly ChannelAssignment[] {
  return assignments.toSorted((one, other) => pathOf(one).localeCompare(pathOf(other), "en"));
}

function pathOf({ name, group_path }: ChannelAssignment): string {
  return group_path === null ? name : `${group_path}/${name}`;
}
