import type { Client } from "@belfry/client";
import { createContext, type ReactNode, useContext } from "react";
import type { Shell } from "../shell/shell.ts";

/** The daemon that the screens show, and what is around them. */
export interface Session {
  readonly client: Client;
  readonly shell: Shell;
  /** The name of the profile whose daemon the client calls. */
  readonly profile: string;
  /** Shows the daemon of another profile. */
  readonly show: (profile: string) => void;
}

const SessionContext = createContext<Session | null>(null);

export function SessionProvider({
  session,
  children,
}: {
  readonly session: Session;
  readonly children: ReactNode;
}): ReactNode {
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("The screens need a session.");
  return session;
}
