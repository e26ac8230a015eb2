import BetterSqlite from "better-sqlite3";
import { Client } from "undici";

/** Sends webhooks one after another and commits a row for each. Prints the rate per second to standard output. */
const [path = "", origin = "", count = ""] = process.argv.slice(2);
const sqlite = new BetterSqlite(path);
sqlite.pragma("journal_mode = WAL");
sqlite.pragma("synchronous = FULL");
sqlite.exec("CREATE TABLE IF NOT EXISTS sent (id INTEGER PRIMARY KEY, status INTEGER, body TEXT)");
const insert = sqlite.prepare("INSERT INTO sent (status, body) VALUES (?, ?)");
const client = new Client(origin);
const body = JSON.stringify({ schema: "service.webhook.v1", event: "test", padding: "x".repeat(400) });
const from = performance.now();
for (let sent = 0; sent < Number(count); sent++) {
  const answer = await client.request({
    method: "POST",
    path: "/hook",
    headers: { "content-type": "application/json" },
    body,
  });
  await answer.body.dump();
  insert.run(answer.statusCode, body);
}
const seconds = (performance.now() - from) / 1_000;
await client.close();
process.stdout.write(String(Number(count) / seconds));
