import { type Capability, parseInvitation } from "@belfry/contract";
import { until } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fresh } from "./api.ts";
import type { Answer, Json } from "./harness.ts";
import { freePlace } from "./ports.ts";
import type { DaemonProcess } from "./processes/daemon-process.ts";
import { callRemote as callOverTls, type RemoteRequest, rootOf } from "./remote.ts";

export { rootOf };

/** Limits that no test reaches by accident. */
export const raisedLimits = `
[remote.limits]
enrollments_per_minute = 1000000
public_requests_per_minute = 1000000
requests_per_second = 1000000
requests_burst = 1000000
unauthenticated_connections = 1000
unauthenticated_connections_per_address = 1000
`;

/** Writes the configuration of a daemon with the remote API, for its next start. Returns the port. */
export async function configureRemote(
  dataDir: string,
  more = raisedLimits,
  { host = "127.0.0.1", port: given }: { readonly host?: string; readonly port?: number } = {},
): Promise<number> {
  const port = given ?? (await freePlace()).port;
  await writeFile(
    join(dataDir, "config.toml"),
    `[remote]\nenabled = true\nhost = "${host}"\nport = ${port}\nadvertise = []\n${more}`,
    { mode: 0o600 },
  );
  return port;
}

/** Sends one request to the remote API of a daemon. A stream ends after its headers. */
export function callRemote(daemon: Pick<DaemonProcess, "dataDir">, port: number, of: RemoteRequest): Promise<Answer> {
  return callOverTls({ ca: rootOf(daemon), port }, { ...of, endsAtHead: true });
}

/** Pairs and enrols a new actor, as a client does; returns its answer, with the token. */
export async function enrol(
  daemon: Pick<DaemonProcess, "call" | "dataDir">,
  port: number,
  capability: Capability = "enroll",
): Promise<Json> {
  const pairing = await daemon.call("POST", "/v1/access/pairings", { name: fresh("remote actor"), capability });
  if (pairing.status !== 201) throw new Error(`no pairing: ${pairing.text}`);
  const { pairing_id, phrase, daemon_id, invitation } = pairing.json;
  if (parseInvitation(invitation)?.pairingId !== pairing_id) throw new Error(`not an invitation: ${invitation}`);
  const answer = await callRemote(daemon, port, {
    method: "POST",
    path: "/api/v1/enroll",
    body: { pairing_id, phrase, daemon_id },
  });
  if (answer.status !== 201) throw new Error(`not enrolled: ${answer.text}`);
  return answer.json;
}

/** Waits until the daemon listens for remote callers. */
export function untilListening(daemon: Pick<DaemonProcess, "call">): Promise<unknown> {
  return until("the remote API", async () => {
    const { json } = await daemon.call("GET", "/v1/remote");
    return json.listening === true ? json : null;
  });
}
