import type { Actor } from "../modules/actors/schemas.ts";
import type { Remote } from "../modules/remote/schemas.ts";
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

const remote: Remote = {
  enabled: true,
  listening: true,
  problem: null,
  host: "::",
  port: 7443,
  advertise: ["build.example.org"],
  addresses: ["build.example.org:7443", "192.0.2.10:7443"],
  allows_commands: false,
  certificate: {
    source: "own",
    root_sha256: "3b4f0d2a6c5e7198a0bd4c3e2f1a09876b5c4d3e2f10a9b8c7d6e5f4a3b2c1d0",
    certificate_sha256: "9f2d4c6b8a1e3f507192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8",
    public_key_sha256: "5d41402abc4b2a76b9719d911017c592a1b2c3d4e5f60718293a4b5c6d7e8f90",
    names: ["localhost", "build.example.org", "192.0.2.10"],
    not_before: "2026-11-20T09:30:00.000Z",
    expires_at: "2027-11-21T09:30:00.000Z",
  },
  connections: 2,
};

export const accessExamples = {
  Remote: remote,
  Actor: actor,
  ActorList: { actors: [actor], next_cursor: null },
  Credential: credential,
  CredentialList: { credentials: [credential], next_cursor: null },
};
