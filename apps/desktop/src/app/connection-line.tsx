import type { ReactNode } from "react";
import { FullTime } from "../components/time.tsx";
import { sentence } from "../data/errors.ts";
import { useConnection } from "../data/connection.ts";

/** Says when the screens no longer hear of changes. It goes by itself. */
export function ConnectionLine(): ReactNode {
  const connection = useConnection();
  return (
    <div role="status" aria-live="polite">
      {connection.is === "offline" && (
        <p className="border-b border-attention bg-surface px-4 py-1.5 text-attention md:px-6">
          {connection.isRefused ? "The daemon cannot report changes." : "The daemon does not answer."}{" "}
          {connection.since === null ? (
            "This page continues by itself when it does."
          ) : (
            <>
              What you see is from <FullTime at={new Date(connection.since).toISOString()} />. This page continues by
              itself when it does.
            </>
          )}{" "}
          <span className="text-muted">{sentence(connection.problem)}</span>
        </p>
      )}
    </div>
  );
}
