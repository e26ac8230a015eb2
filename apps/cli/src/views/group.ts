import type { Group } from "@belfry/client";
import type { Detail } from "../output/details.ts";
import type { Column } from "../output/table.ts";
import { formatLocal } from "../output/time.ts";
import { environmentText } from "./environment.ts";

export function groupColumns(names: ReadonlyMap<string, string>): readonly Column<Group>[] {
  return [
    { title: "NAME", text: (group) => group.name, isFlexible: true },
    { title: "PARENT", text: (group) => parentText(group, names), isFlexible: true },
    {
      title: "STATE",
      text: (group) => (group.enabled ? "enabled" : "disabled"),
      color: (group) => (group.enabled ? "good" : "dim"),
    },
    { title: "MAX CONCURRENT", text: (group) => String(group.max_concurrent_runs ?? "-"), isNumber: true },
    { title: "TIME ZONE", text: (group) => group.time_zone ?? "-" },
    { title: "ID", text: (group) => group.id, color: () => "dim" },
  ];
}

function parentText(group: Group, names: ReadonlyMap<string, string>): string {
  return group.parent_id === null ? "-" : (names.get(group.parent_id) ?? group.parent_id);
}

export function groupDetails(group: Group): readonly Detail[] {
  return [
    ["Group", group.name],
    ["ID", group.id],
    ["Description", group.description],
    ["State", group.enabled ? "enabled" : "disabled: its tasks cannot start"],
    ["Max concurrent runs", group.max_concurrent_runs === null ? null : String(group.max_concurrent_runs)],
    ["Time zone", group.time_zone],
    ["Environment", environmentText(group.environment_names)],
    ["Changed", formatLocal(group.updated_at)],
  ];
}
