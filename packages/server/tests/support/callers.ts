import type { Capability, CredentialKind } from "@belfry/contract";
import type { Actor } from "../../src/kernel/operation.ts";
import { fresh, makeActor } from "./api.ts";
import type { TestApplication } from "./application.ts";
import type { Json } from "./harness.ts";

/** An actor with a credential, as a remote caller. */
export interface TestCaller {
  readonly actor: Json;
  readonly credentialId: string;
  readonly token: string;
  /** The header of its requests. */
  readonly headers: { readonly authorization: string };
  /** The actor as the transport identified it before any change of its row. */
  readonly identity: Actor;
}

export async function makeCaller(
  app: TestApplication,
  { capability = "enroll", ...members }: { readonly capability?: Capability; readonly expires_at?: string } = {},
): Promise<TestCaller> {
  const actor = await makeActor(app, { capability, ...members });
  return callerOf(app, actor);
}

/** Another credential of an actor. */
export function callerOf(app: TestApplication, actor: Json, kind: CredentialKind = "json"): TestCaller {
  const { credentials } = app.inside.access;
  const input = { actorId: actor.id as string, displayName: fresh("machine"), kind, capability: null };
  const { row, token } = app.inside.write((unit) => credentials.issue(unit, input));
  const { id, name, capability } = actor;
  return {
    actor,
    credentialId: row.id,
    token,
    headers: { authorization: `Bearer ${token}` },
    identity: { id, name, capability, transport: "remote", credentialId: row.id },
  };
}
