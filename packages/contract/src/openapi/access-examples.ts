import type { Actor } from "../modules/actors/schemas.ts";
import type { Credential } from "../modules/credentials/schemas.ts";
import { ids, made } from "./example-names.ts";

const actor: Actor = {
  id: ids.actor,
  name: "Status board",
  kind: "remote",
  capability: "observe",
  state: "active",
  built_in: false,
  expires_at: "2027-01-01T00:00:00.000Z",
  last_seen_at: "2026-11-21T01:18:00.123Z",
  ...made,
};

const credential: Credential = {
  id: ids.credential,
  actor_id: ids.actor,
  display_name: "Hall display",
  kind: "json",
  state: "active",
  created_at: made.created_at,
  last_used_at: "2026-11-21T01:18:00.123Z",
  revoked_at: null,
};

export const accessExamples = {
  Actor: actor,
  ActorList: { actors: [actor], next_cursor: null },
  Credential: credential,
  CredentialList: { credentials: [credential], next_cursor: null },
};
