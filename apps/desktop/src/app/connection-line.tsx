import type { ReactNode } from "react";
import { FullTime } from "../components/time.tsx";
import { type Connection, useConnection } from "../data/connection.ts";
import { sentence } from "../data/errors.ts";

const beginnings: Readonly<Record<Extract<Connection, { is: "offline" }>["cause"], string>> = {
  silent: "The daemon does not answer.",
  refused: "The daemon cannot report changes.",
  forbidden: "The daemon cannot report changes.",
  "cut-off": "This page gets no answer from belfry ui.",
};

/** Says when the screens no longer hear of changes. It goes by itself. */
export function ConnectionLine(): ReactNode {
  const connection = useConnection();
  return (
    <div role="status" aria-live="polite">
      {connection.is === "offline" && (
        <p className="border-b border-attention bg-surface px-4 py-1.5 text-attention md:px-6">
          {beginnings[connection.cause]}{" "}
          {connection.since !== null && (
            <>
              What you see is from <FullTime at={new Date(connection.since).toISOString()} />.{" "}
            </>
          )}
          {connection.cause === "cut-off" ? (
            // a new one has another address and other sessions; only one that was merely out of reach comes back to this page
            "If it has ended, start it again: it opens a new page."
          ) : (
            <>
              This page continues by itself when it does.{" "}
              <span className="text-muted">{sentence(connection.problem)}</span>
            </>
          )}
        </p>
      )}
    </div>
  );
}
