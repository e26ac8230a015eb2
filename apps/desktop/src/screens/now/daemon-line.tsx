import type { ReactNode } from "react";
import { Status } from "../../components/status.tsx";
import { useConnection } from "../../data/connection.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { count } from "../../data/words.ts";

/** The daemon's health in one line. */
export function DaemonLine(): ReactNode {
  const { client, profile } = useSession();
  const connection = useConnection();
  const manifest = useRead(["manifest"], (signal) => client.manifest.get({ signal }), { kinds: ["manifest"] });
  // only the daemon on this machine answers this
  const runtime = useRead(["runtime-info"], (signal) => client.runtimeInfo.get({ signal }), {
    kinds: [],
    everyMs: 30_000,
    isWanted: profile === "local",
  });
  if (connection.is === "offline") return <Status kind="failure">Daemon not answering</Status>;
  if (manifest.data === null) return null;
  const { name, version } = manifest.data as { readonly name?: string; readonly version?: string };
  const problems =
    runtime.data === null
      ? 0
      : runtime.data.storage_faults.length +
        runtime.data.silent_runners.length +
        runtime.data.held_outputs.length +
        runtime.data.paused_starts.length;
  return (
    <span className="flex flex-wrap items-baseline gap-x-3">
      {problems === 0 ? (
        <Status kind="success">Daemon healthy</Status>
      ) : (
        <Status kind="attention" title="Run belfry doctor on its machine">
          {count(problems, "problem")} of the daemon: run belfry doctor
        </Status>
      )}
      <span className="text-small text-muted">{[name, version].filter(Boolean).join(" ")}</span>
    </span>
  );
}
