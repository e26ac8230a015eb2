import type { RuntimeInfo } from "@belfry/client";
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
  if (connection.is === "offline") return <Away cause={connection.cause} />;
  if (manifest.data === null) return null;
  const { name, version } = manifest.data as { readonly name?: string; readonly version?: string };
  return (
    <span className="flex flex-wrap items-baseline gap-x-3">
      <Health runtime={runtime.error === null ? runtime.data : null} />
      <span className="text-small text-muted">{[name, version].filter(Boolean).join(" ")}</span>
    </span>
  );
}

const awayWords = {
  silent: ["failure", "Daemon not answering"],
  refused: ["attention", "Daemon not reporting changes"],
  forbidden: ["attention", "Daemon refuses access"],
  "cut-off": ["failure", "No answer from belfry ui"],
} as const;

function Away({ cause }: { readonly cause: keyof typeof awayWords }): ReactNode {
  const [kind, words] = awayWords[cause];
  return <Status kind={kind}>{words}</Status>;
}

/** `runtime`: null while it is not known, as always with a daemon on another machine. */
function Health({ runtime }: { readonly runtime: RuntimeInfo | null }): ReactNode {
  if (runtime === null) return <Status kind="ready">Connected</Status>;
  const { storage_faults, silent_runners, held_outputs, paused_starts } = runtime;
  const problems = storage_faults.length + silent_runners.length + held_outputs.length + paused_starts.length;
  if (problems === 0) return <Status kind="success">Daemon healthy</Status>;
  return (
    <Status kind="attention" title="Run belfry doctor on its machine">
      {count(problems, "problem")} of the daemon: run belfry doctor
    </Status>
  );
}
