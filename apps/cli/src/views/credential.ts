import type { Credential } from "@belfry/client";
import type { Paint } from "../output/paint.ts";
import type { Column } from "../output/table.ts";

const paints: Readonly<Record<Credential["state"], Paint>> = { active: "good", expired: "warn", revoked: "bad" };

export const credentialColumns: readonly Column<Credential>[] = [
  { title: "CREDENTIAL", text: (credential) => credential.display_name, isFlexible: true },
  { title: "KIND", text: (credential) => credential.kind },
  { title: "STATE", text: (credential) => credential.state, color: (credential) => paints[credential.state] },
  { title: "LIMIT", text: (credential) => credential.capability ?? "-", isSpare: true },
  { title: "CREATED", text: (credential) => credential.created_at, isTime: true },
  { title: "LAST USED", text: (credential) => credential.last_used_at, isTime: true },
  { title: "ID", text: (credential) => credential.id, color: () => "dim" },
];
