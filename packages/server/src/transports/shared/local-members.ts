import type { Operation, Transport } from "@belfry/contract";
import { invalid } from "../../kernel/errors/errors.ts";

/** What a daemon lets remote callers do beyond the contract's defaults. */
export interface RemoteRules {
  /** Whether remote callers may set what runs. */
  readonly remoteCommands: boolean;
}

const none: readonly string[] = [];

/** Lists the members that a body from this transport may not have. */
export function refusedMembers(
  operation: Operation,
  transport: Transport,
  { remoteCommands }: RemoteRules,
): readonly string[] {
  if (transport === "local") return none;
  const { localMembers = none, commandMembers = none } = operation;
  return remoteCommands ? localMembers : [...localMembers, ...commandMembers];
}

/** Refuses a body with one of these members, whatever its value: null clears a member, and so changes it too. */
export function refuseMembers(body: unknown, refused: readonly string[]): void {
  if (refused.length === 0 || typeof body !== "object" || body === null) return;
  const found = refused.find((name) => Object.hasOwn(body, name));
  if (found !== undefined)
    throw invalid(found, `${found} can only be set on the daemon's machine: send the request there, or leave it out`);
}
