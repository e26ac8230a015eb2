import { tempDir } from "@belfry/test-kit";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fire, type Shot } from "./load.ts";
import { startDaemon } from "./daemon.ts";
import { root, startServer } from "./processes.ts";
import { type Result, ratioOf } from "./result.ts";
import { inTurn } from "./stats.ts";

const rounds = 16;
const clients = 16;

/**
 * Compares the daemon to a bare server with the same tables, in alternating rounds: one read, and one durable create.
 */
export async function benchRequests(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  await using daemon = await startDaemon(join(dir.path, "data"));
  const { socket } = daemon;
  const made = await daemon.call("POST", "/v1/tasks", taskBody("read me"));
  const read: Shot = { method: "GET", path: `/v1/tasks/${made.id}` };
  copyFileSync(join(daemon.dataDir, "belfry.db"), join(dir.path, "bare.db"));
  copyFileSync(join(daemon.dataDir, "belfry.db-wal"), join(dir.path, "bare.db-wal"));
  const bareSocket = join(dir.path, "bare.sock");
  await using _bare = await startServer(
    [join(root, "bench/bare-server.ts"), join(dir.path, "bare.db"), bareSocket],
    bareSocket,
    join(dir.path, "bare.log"),
  );

  let number = 0;
  const create = (): Shot => ({
    method: "POST",
    path: "/v1/tasks",
    body: JSON.stringify(taskBody(`task ${number++}`)),
  });
  await fire(socket, clients, 3_000, () => read);
  await fire(bareSocket, clients, 3_000, () => read);
  const reads = { ours: [] as number[], bare: [] as number[] };
  const creates = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const sides = inTurn(round, [
      { path: socket, read: reads.ours, create: creates.ours },
      { path: bareSocket, read: reads.bare, create: creates.bare },
    ]);
    for (const side of sides) side.read.push(await fire(side.path, clients, 6_000, () => read));
    for (const side of sides) side.create.push(await fire(side.path, clients, 2_000, create));
  }
  return [
    ratioOf({
      name: "one task read over the socket",
      baseline: "bare node:http with the same SQLite read",
      unit: "requests/s",
      atLeast: 0.6,
      ...reads,
    }),
    ratioOf({
      name: "an audited durable create",
      baseline: "bare node:http with one FULL commit",
      unit: "requests/s",
      atLeast: 0.8,
      ...creates,
    }),
  ];
}

function taskBody(name: string) {
  return { name, command: { kind: "exec", program: "/bin/true", arguments: [] }, timeout: "5m" };
}
