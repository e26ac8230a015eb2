import type { Hold } from "@belfry/client";
import { asWritten, quoteName } from "../output/hints.ts";
import type { Column } from "../output/table.ts";
import { formatLocal } from "../output/time.ts";
import { printable } from "../output/width.ts";

/** How data came from elsewhere. */
export const arrivals: Readonly<Record<Exclude<Hold["cause"], "requested">, string>> = {
  restored: "the data was restored from a backup",
  moved: "the data came from another machine",
};

function heldText({ group_name }: Hold): string {
  return group_name === null ? "all tasks" : `the tasks of group ${JSON.stringify(group_name)}`;
}

/** Why a hold exists: its cause and the words of who placed it. Null if neither is known. */
export function whyHeld({ cause, reason }: Hold): string | null {
  const arrival = cause === "requested" ? null : `${arrivals[cause]}, so no webhook is sent either`;
  const parts = [arrival, reason === null ? null : printable(reason)].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join("; ");
}

export function untilText({ until }: Hold): string {
  return until === null ? "until you release them" : `until ${formatLocal(until)}`;
}

/** `All tasks are held until you release them: Database upgrade`. */
export function holdSentence(hold: Hold): string {
  const held = heldText(hold);
  const why = whyHeld(hold);
  return `${held[0]!.toUpperCase()}${held.slice(1)} are held ${untilText(hold)}${why === null ? "" : `: ${why}`}`;
}

/** The same with the command that ends the hold, as a hint. The reason can contain the words of a command. */
export function holdHint(hold: Hold): string {
  return `${asWritten(holdSentence(hold))}. ${releaseHint(hold)}`;
}

export function releaseHint(hold: Hold): string {
  return `Release with: ${releaseCommand(hold)}`;
}

function releaseCommand({ group_name, cause }: Hold): string {
  if (cause !== "requested") return "belfry release --confirm";
  return group_name === null ? "belfry release" : `belfry release --group ${quoteName(group_name)}`;
}

export const holdColumns: readonly Column<Hold>[] = [
  { title: "HELD", text: heldText, isFlexible: true },
  { title: "SINCE", text: ({ created_at }) => created_at, isTime: true },
  { title: "UNTIL", text: ({ until }) => until, isTime: true },
  { title: "WHY", text: whyHeld, isFlexible: true },
];
