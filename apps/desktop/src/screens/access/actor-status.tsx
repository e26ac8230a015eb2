import type { Actor } from "@belfry/client";
import type { ReactNode } from "react";
import { Status, type StatusKind } from "../../components/status.tsx";

const states: Readonly<Record<Actor["state"], readonly [StatusKind, string]>> = {
  active: ["success", "Active"],
  disabled: ["off", "Disabled"],
  revoked: ["cancelled", "Revoked"],
  expired: ["attention", "Expired"],
};

/** Whether an actor or a credential may do anything. */
export function ActorStatus({ state }: { readonly state: Actor["state"] }): ReactNode {
  const [kind, word] = states[state] ?? ["attention", state];
  return <Status kind={kind}>{word}</Status>;
}
