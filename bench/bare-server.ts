// The baseline: node:http on a socket, with the same SQLite read, and one durable commit per create. It has no routing,
// validation or audit, so it shows the cost of the platform itself.
import BetterSqlite from "better-sqlite3";
import { createServer } from "node:http";

const [databasePath, socketPath] = process.argv.slice(2) as [string, string];
const sqlite = new BetterSqlite(databasePath);
sqlite.pragma("journal_mode = WAL");
sqlite.pragma("synchronous = FULL");
sqlite.exec("CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT");
const insert = sqlite.prepare("INSERT INTO items (body) VALUES (?)");
const select = sqlite.prepare("SELECT * FROM tasks WHERE id = ?");

createServer((incoming, outgoing) => {
  if (incoming.method === "GET") return answer(200, select.get(incoming.url!.slice("/v1/tasks/".length)));
  const parts: Buffer[] = [];
  incoming
    .on("data", (part: Buffer) => parts.push(part))
    .on("end", () => {
      const body = JSON.parse(Buffer.concat(parts).toString("utf8")) as object;
      const { lastInsertRowid } = insert.run(JSON.stringify(body));
      answer(201, { id: Number(lastInsertRowid), ...body });
    });

  function answer(status: number, body: unknown): void {
    const text = JSON.stringify(body);
    outgoing
      .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
      .end(text);
  }
}).listen(socketPath);
