import { request } from "node:http";

/**
 * Readers of the event stream in a separate process, which discard all events. Prints `ready` once each has received
 * data.
 */
const [socketPath = "", count = "0"] = process.argv.slice(2);

function listen(): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path: "/v1/events", agent: false }, (incoming) => {
      incoming.once("data", () => resolve()).resume();
    });
    outgoing.on("error", reject).end();
  });
}

// a socket accepts a limited number of simultaneous connections
for (let begun = 0; begun < Number(count); begun += 50) await Promise.all(Array.from({ length: 50 }, listen));
console.log("ready");
