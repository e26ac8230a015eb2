import type { ReactNode } from "react";
import { useGrant } from "../data/grant.ts";
import { useSession } from "../data/session.tsx";
import { NotAllowed, OnlyThere } from "./states.tsx";

export interface OnlyHereProps {
  /** For a caller that may not manage: "Creating a watcher", for example. */
  readonly what: string;
  /** For a daemon on another machine: "creates watchers", for example, and the command that does it there. */
  readonly does: string;
  readonly command: string;
  readonly children: ReactNode;
}

/** A form for those who may manage, which a daemon allows only on its own machine. */
export function OnlyHere({ what, does, command, children }: OnlyHereProps): ReactNode {
  const { profile } = useSession();
  const { may, capability } = useGrant();
  if (capability !== null && !may("manage")) return <NotAllowed needs="manage" what={what} />;
  if (profile !== "local") return <OnlyThere does={does} command={command} />;
  return <div className="max-w-xl">{children}</div>;
}
