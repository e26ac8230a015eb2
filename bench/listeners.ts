import { request } from "node:http";

/** Readers of the event stream, in a process of their own: they take what comes and keep nothing. Says `ready` once all read. */
const [socketPath = "", count = "0"] = process.argv.slice(2);

function listen(): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path: "/v1/events", agent: false }, (incoming) => {
      incoming.once("data", () => resolve()).resume();
    });
    outgoing.on("error", reject).end();
  });
}

// a socket takes only so many callers at once
for (let begun = 0; begun < Number(count); begun += 50) await Promise.all(Array.from({ length: 50 }, listen));
console.log("ready");
