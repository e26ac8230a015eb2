import type { Actor } from "@belfry/client";
import type { Detail } from "../output/details.ts";
import type { Paint } from "../output/paint.ts";
import type { Column } from "../output/table.ts";
import { formatLocal } from "../output/time.ts";

const paints: Readonly<Record<Actor["state"], Paint>> = {
  active: "good",
  disabled: "dim",
  expired: "warn",
  revoked: "bad",
};

export const actorColumns: readonly Column<Actor>[] = [
  { title: "NAME", text: (actor) => actor.name, isFlexible: true },
  { title: "CAPABILITY", text: (actor) => actor.capability },
  { title: "STATE", text: (actor) => actor.state, color: (actor) => paints[actor.state] },
  { title: "EXPIRES", text: (actor) => actor.expires_at, isTime: true },
  { title: "LAST SEEN", text: (actor) => actor.last_seen_at, isTime: true, isSpare: true },
  { title: "ID", text: (actor) => actor.id, color: () => "dim" },
];

export function actorDetails(actor: Actor): readonly Detail[] {
  return [
    ["Actor", actor.name],
    ["ID", actor.id],
    ["Kind", actor.built_in ? "built in: every caller of the daemon's own socket" : actor.kind],
    ["Capability", actor.capability],
    ["State", actor.state],
    ["Expires", actor.expires_at === null ? "never" : formatLocal(actor.expires_at)],
    ["Last seen", actor.last_seen_at === null ? "never" : formatLocal(actor.last_seen_at)],
    ["Changed", formatLocal(actor.updated_at)],
  ];
}
