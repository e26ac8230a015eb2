import { type Api, enableRemote } from "./api.ts";
import type { Answer } from "./harness.ts";
import { callRemote, type RemoteRequest, rootOf } from "./remote.ts";

/** Enables the remote API of a daemon in any process; returns a function that calls it. */
export async function remoteCallOf(
  daemon: Pick<Api, "call" | "dataDir">,
): Promise<(request: RemoteRequest) => Promise<Answer>> {
  await enableRemote(daemon);
  const { port } = (await daemon.call("GET", "/v1/remote")).json;
  const caller = { ca: rootOf(daemon), port };
  return (request) => callRemote(caller, request);
}

/** The request that enrols with this body. */
export function enrollmentRequest(body: unknown): RemoteRequest {
  return { method: "POST", path: "/api/v1/enroll", body };
}
