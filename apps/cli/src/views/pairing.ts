import type { Pairing } from "@belfry/client";
import type { Paint } from "../output/paint.ts";
import type { Column } from "../output/table.ts";

const paints: Readonly<Record<Pairing["state"], Paint>> = { open: "good", used: "dim", burnt: "bad", expired: "dim" };

export const pairingColumns: readonly Column<Pairing>[] = [
  { title: "FOR", text: (pairing) => pairing.name, isFlexible: true },
  { title: "CAPABILITY", text: (pairing) => pairing.capability },
  { title: "STATE", text: (pairing) => pairing.state, color: (pairing) => paints[pairing.state] },
  { title: "TRIES LEFT", text: (pairing) => String(pairing.tries_left), isNumber: true },
  { title: "EXPIRES", text: (pairing) => pairing.expires_at, isTime: true },
  { title: "ID", text: (pairing) => pairing.id, color: () => "dim" },
];
