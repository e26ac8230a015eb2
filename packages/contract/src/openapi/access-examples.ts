import type { Actor } from "../modules/actors/schemas.ts";
import type { Remote } from "../modules/remote/schemas.ts";
import type { Credential } from "../modules/credentials/schemas.ts";
import type { CurrentAccess, Enrollment } from "../modules/enrollment/operations.ts";
import { formatInvitation } from "../modules/pairings/invitation.ts";
import type { Pairing, PairingSecret } from "../modules/pairings/schemas.ts";
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
  capability: null,
  state: "active",
  created_at: made.created_at,
  last_used_at: "2026-11-21T01:18:00.123Z",
  revoked_at: null,
};

const pairing: Pairing = {
  id: ids.pairing,
  actor_id: null,
  name: "Laptop of Ada",
  capability: "operate",
  kind: "cli",
  state: "open",
  tries_left: 5,
  created_at: "2026-11-21T01:18:00.123Z",
  expires_at: "2026-11-21T01:28:00.123Z",
};

const installation = "ins_c8Rk3MwYt6Vz1NqPx0Hd";
const addresses = ["build.example.org:7443", "192.0.2.10:7443"];
const publicKeySha256 = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";

const pairingSecret: PairingSecret = {
  pairing_id: ids.pairing,
  phrase: "canopy-drizzle-mosaic-pebble-tundra-violin",
  daemon_id: installation,
  expires_at: pairing.expires_at,
  addresses,
  certificate_sha256: "9a8b7c6d5e4f30211203f4e5d6c7b8a99a8b7c6d5e4f30211203f4e5d6c7b8a9",
  public_key_sha256: publicKeySha256,
  invitation: formatInvitation({
    pairingId: ids.pairing,
    daemonId: installation,
    addresses,
    trust: { kind: "key", publicKeySha256 },
  }),
};

const currentAccess: CurrentAccess = {
  actor_id: ids.actor,
  actor_name: "Laptop of Ada",
  credential_id: ids.credential,
  capability: "operate",
  expires_at: null,
};

const enrollment: Enrollment = {
  daemon_id: installation,
  actor_id: ids.actor,
  credential_id: ids.credential,
  capability: "operate",
  access_token: "bat_4fzH1TqW_b8YkV0c2LxNd7Kq2mXv0Rz9tYb4LwNcD4fzH1TqWb8Y",
  expires_at: null,
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
  Pairing: pairing,
  PairingList: { pairings: [pairing], next_cursor: null },
  PairingSecret: pairingSecret,
  CurrentAccess: currentAccess,
  Enrollment: enrollment,
  CredentialList: { credentials: [credential], next_cursor: null },
};
