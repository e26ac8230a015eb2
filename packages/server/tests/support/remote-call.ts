import { serverNameOf } from "@belfry/contract";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { type Api, enableRemote } from "./api.ts";
import { type Answer, answerOf } from "./harness.ts";

/** A call over TLS. */
export type RemoteCall = (
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** Enables the remote API of a real daemon; returns a client of it that trusts its root alone. */
export async function remoteCallOf(api: Pick<Api, "call" | "dataDir">): Promise<RemoteCall> {
  await enableRemote(api);
  const { host, port } = (await api.call("GET", "/v1/remote")).json;
  const { installation_id } = (await api.call("GET", "/v1/manifest")).json;
  const ca = readFileSync(join(api.dataDir, "remote/root.pem"));
  const servername = serverNameOf(installation_id);
  return (method, path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const sent = { ...(text === undefined ? {} : { "content-type": "application/json" }), ...headers };
      const outgoing = request({ host, port, ca, servername, method, path, headers: sent }, (incoming) => {
        const parts: Buffer[] = [];
        incoming.on("data", (part: Buffer) => parts.push(part)).on("error", reject);
        incoming.on("end", () => resolve(answerOf(incoming, Buffer.concat(parts).toString("utf8"))));
      });
      outgoing.on("error", reject).end(text);
    });
}
