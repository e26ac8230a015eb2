import { request } from "node:http";
import { expect, test } from "vitest";
import { anyDaemon } from "./any-daemon.ts";
import { startUi } from "./start-ui.ts";

/** A request whose session was found, and whose body is complete only when the test says so. */
async function openSlow(
  port: number,
  { method, path, headers }: { readonly method: string; readonly path: string; readonly headers: object },
) {
  const body = JSON.stringify({ name: "late", invitation: "bfi1.late", phrase: "late" });
  const outgoing = request({
    host: "127.0.0.1",
    port,
    method,
    path,
    agent: false,
    headers: {
      ...headers,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      // the server says so in the moment in which it looks for the session
      expect: "100-continue",
    },
  });
  const status = new Promise<number>((resolve, reject) => {
    outgoing.on("error", reject).on("response", (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode ?? 0);
    });
  });
  const goOn = new Promise<void>((resolve) => outgoing.once("continue", () => resolve()));
  outgoing.flushHeaders();
  await goOn;
  outgoing.write(body.slice(0, 5));
  return {
    finish: (): Promise<number> => {
      outgoing.end(body.slice(5));
      return status;
    },
  };
}

test.each([
  ["POST", "/api/v1/tasks"],
  ["POST", "/shell/profiles"],
  ["PUT", "/shell/preferences/theme"],
])("%s %s changes nothing if the session ends while its body arrives", async (method, path) => {
  await using daemon = await anyDaemon((response) => void response.writeHead(201).end());
  await using ui = await startUi({ socket: daemon.socket });
  const token = ui.newToken();
  const { session } = (await ui.exchange(token)).json as { session: string };
  const headers = { "belfry-session": session, "belfry-profile": "local" };
  const slow = await openSlow(ui.port, { method, path, headers });
  expect((await ui.exchange(token)).status).toBe(401);
  expect(await slow.finish()).toBe(401);
  expect(daemon.seen).toEqual([]);
  const other = await ui.open();
  expect((await other.call("GET", "/shell/preferences")).json).toEqual({ preferences: {} });
  expect((await other.call("GET", "/shell/profiles")).json.profiles).toHaveLength(1);
});
