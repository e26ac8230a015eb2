import { readFileSync } from "node:fs";
import { request } from "node:https";

/**
 * Readers of remote event streams in a separate process, which get no events. Prints `ready` once each has received
 * data.
 */
const [rootPath = "", port = "", token = "", count = "0"] = process.argv.slice(2);
const ca = readFileSync(rootPath);

function listen(): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: "127.0.0.1",
        servername: "localhost",
        port: Number(port),
        ca,
        path: "/api/v1/events?kinds=chain",
        headers: { authorization: `Bearer ${token}` },
        agent: false,
      },
      (incoming) => {
        if (incoming.statusCode !== 200) reject(new Error(`a stream was answered with ${incoming.statusCode}`));
        incoming.once("data", () => resolve()).resume();
      },
    );
    outgoing.on("error", reject).end();
  });
}

for (let begun = 0; begun < Number(count); begun += 50) await Promise.all(Array.from({ length: 50 }, listen));
console.log("ready");
