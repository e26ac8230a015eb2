import { tempDir } from "@belfry/test-kit";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { changeRows } from "../../server/tests/support/api.ts";
import { bundleDaemon } from "../../server/tests/support/processes/bundle.ts";
import { startDaemonProcess } from "../../server/tests/support/processes/daemon-process.ts";

/** The 90,000 further events take more than twice as much even as bare text. */
const growthMaxMiB = 30;

/** With these, Node keeps little garbage, and a process that holds all events as values runs out of memory. */
const heapLimits = ["--max-old-space-size=64", "--max-semi-space-size=1"];

/** Adds this many rows of the usual size. Their hashes are wrong, which an export does not check. */
function addRows(dataDir: string, count: number): void {
  changeRows(
    { dataDir },
    `
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO audit_events (id, at, actor_id, actor_name, transport, operation, resource_type, resource_id, result,
      request_id, changed_fields_json, previous_hash, hash)
    SELECT 'aud_' || printf('%020d', n), 1767225600000 + n, 'act_00000000000000000000', 'local', 'local',
      'tasks.update', 'task', 'tsk_00000000000000000000', 'allowed', 'req_' || printf('%020d', n),
      '["environment","labels","name"]', printf('%064d', n - 1), printf('%064d', n) FROM numbers`,
  );
}

async function residentMiB(pid: number): Promise<number> {
  return Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}

/** A program that exports everything so often, and prints the count and by how much its memory grew after the first 10,000. */
const program = (socketPath: string, times: number) => `
  import { connectLocal } from "@belfry/client/local";
  const { audit } = connectLocal({ socketPath: ${JSON.stringify(socketPath)} });
  let count = 0;
  let before = 0;
  for (let done = 0; done < ${times}; done++) {
    for await (const _event of audit.export()) {
      count += 1;
      if (count === 10_000) before = process.memoryUsage().rss;
    }
  }
  console.log(JSON.stringify({ count, grownMiB: process.resourceUsage().maxRSS / 1024 - before / 1024 ** 2 }));`;

test("an export of 100,000 events takes no more memory than one of 10,000, in the daemon and in the client", async () => {
  await using bundle = await bundleDaemon();
  await using dir = await tempDir("bf-");
  await using daemon = await startDaemonProcess({
    belfryd: bundle.belfryd,
    dataDir: dir.path,
    environment: { PATH: process.env["PATH"]!, HOME: dir.path, NODE_OPTIONS: heapLimits.join(" ") },
  });
  const run = async (times: number) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...heapLimits, "--conditions=@belfry/source", "--input-type=module", "-e", program(daemon.socketPath, times)],
      { cwd: fileURLToPath(new URL("../", import.meta.url)) },
    );
    return JSON.parse(stdout) as { count: number; grownMiB: number };
  };
  addRows(dir.path, 10_000);
  // repeated, because the garbage of a few pages already fills the memory that Node never returns
  expect((await run(6)).count).toBeGreaterThanOrEqual(60_000);
  const before = await residentMiB(daemon.pid);
  addRows(dir.path, 90_000);
  const exported = await run(1);
  // the pages of the first export are in the trail too
  expect(exported.count).toBeGreaterThanOrEqual(100_000);
  expect(exported.grownMiB).toBeLessThan(growthMaxMiB);
  const grownMiB = (await residentMiB(daemon.pid)) - before;
  expect(grownMiB).toBeLessThan(growthMaxMiB);
});
