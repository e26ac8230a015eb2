import { createClient } from "@belfry/client";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { type ReactNode, StrictMode, useCallback, useEffect, useMemo, useState } from "react";
import type { Root } from "react-dom/client";
import { connection } from "../data/connection.ts";
import { describeError } from "../data/errors.ts";
import { openPreferences } from "../data/preferences.ts";
import { createQueryClient } from "../data/query-client.ts";
import { refreshByEvents } from "../data/refresher.ts";
import { type Session, SessionProvider } from "../data/session.tsx";
import { rememberVisit } from "../data/visits.ts";
import { openBrowserShell } from "../shell/browser-shell.ts";
import { type Shell, ShellError } from "../shell/shell.ts";
import { createScreens } from "./router.tsx";

/** Opens the shell, and shows the screens of the daemon that it leads to. */
export async function start(root: Root): Promise<void> {
  try {
    const shell = await openBrowserShell();
    await openPreferences(shell);
    root.render(
      <StrictMode>
        <Screens shell={shell} first={openParts(shell.selected())} />
      </StrictMode>,
    );
  } catch (error) {
    root.render(<NoSession reason={error} />);
  }
}

/** The data and the addresses of one daemon's screens. */
function openParts(profile: string) {
  return { profile, queries: createQueryClient(), router: createScreens() };
}

function Screens({ shell, first }: { readonly shell: Shell; readonly first: ReturnType<typeof openParts> }): ReactNode {
  const [parts, setParts] = useState(first);
  const [ended, setEnded] = useState<ShellError | null>(null);
  useEffect(() => shell.onEnd(setEnded), [shell]);
  // another daemon has other data: nothing of the former one stays
  const show = useCallback(
    (profile: string): void => {
      rememberVisit(parts.profile);
      parts.router.history.destroy();
      setParts(openParts(profile));
    },
    [parts],
  );
  if (ended !== null) return <NoSession reason={ended} />;
  return <Daemon key={parts.profile} shell={shell} parts={parts} show={show} />;
}

interface DaemonProps extends Pick<Session, "shell" | "show"> {
  readonly parts: ReturnType<typeof openParts>;
}

function Daemon({ shell, parts, show }: DaemonProps): ReactNode {
  const { profile, queries, router } = parts;
  const session = useMemo<Session>(
    () => ({ client: createClient({ transport: shell.daemon(profile) }), shell, profile, show }),
    [shell, profile, show],
  );
  useEffect(() => {
    const end = new AbortController();
    connection.set({ is: "connecting" });
    void refreshByEvents(session.client, queries, end.signal);
    return () => end.abort();
  }, [session, queries]);
  return (
    <SessionProvider session={session}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </SessionProvider>
  );
}

/** The address was used before, the session has ended, or nothing answers at all. */
function NoSession({ reason }: { readonly reason: unknown }): ReactNode {
  const { title, text } = describeError(reason);
  const hasHint = reason instanceof ShellError && reason.hint !== null;
  return (
    <main className="mx-auto flex max-w-xl flex-col gap-3 p-6">
      <h1>{title}</h1>
      <p>{text}</p>
      {!hasHint && <p className="text-muted">Run belfry ui in a terminal: it opens a new address.</p>}
    </main>
  );
}
