// The baseline of the remote API: node:https with the same version of TLS, the same certificate and the same SQLite read.
import BetterSqlite from "better-sqlite3";
import { readFileSync } from "node:fs";
import { createServer as createSocket } from "node:http";
import { createServer } from "node:https";

const [databasePath, folder, port, readyPath] = process.argv.slice(2) as [string, string, string, string];
const sqlite = new BetterSqlite(databasePath, { readonly: true });
const select = sqlite.prepare("SELECT * FROM tasks WHERE id = ?");
const [key, cert] = ["leaf.key", "leaf.pem"].map((name) => readFileSync(`${folder}/${name}`));

createServer({ key, cert, minVersion: "TLSv1.3", maxVersion: "TLSv1.3" }, (incoming, outgoing) => {
  const text = JSON.stringify(select.get(incoming.url!.slice("/api/v1/tasks/".length)));
  outgoing.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text);
}).listen(Number(port), "127.0.0.1", () => createSocket().listen(readyPath));
