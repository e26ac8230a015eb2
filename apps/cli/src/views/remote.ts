import type { Remote } from "@belfry/client";
import type { Detail } from "../output/details.ts";
import { formatLocal } from "../output/time.ts";

/** The state in one word: `on`, `off`, or what prevents clients from connecting. */
export function remoteState({ enabled, problem }: Remote): string {
  if (!enabled) return "off";
  return problem === null ? "on" : `on, but not reachable: ${problem}`;
}

export function remoteDetails(remote: Remote): readonly Detail[] {
  const { certificate, enabled } = remote;
  return [
    ["Remote API", remoteState(remote)],
    ["Listens on", enabled ? `${remote.host}, port ${remote.port}` : null],
    ["Clients use", enabled ? remote.addresses.join(", ") || null : null],
    ["Connections", enabled ? String(remote.connections) : null],
    ["Commands", remote.allows_commands ? "remote callers with manage can set what runs" : null],
    ["Certificate", certificate === null ? null : sourceText(certificate.source)],
    ["Expires", certificate === null ? null : formatLocal(certificate.expires_at)],
    ["Names", certificate === null ? null : certificate.names.join(", ")],
    ["Root SHA-256", certificate?.root_sha256 ?? null],
    ["Key SHA-256", certificate?.public_key_sha256 ?? null],
  ];
}

function sourceText(source: "own" | "configured"): string {
  return source === "own" ? "made and renewed by the daemon" : "from the configured files";
}
