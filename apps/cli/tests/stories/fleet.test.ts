import { expect, test } from "vitest";
import type { RemoteReply, RemoteSeen } from "../../../../packages/client/tests/fake-remote-daemon.ts";
import { enroll, newMachine, newRemote } from "../machine.ts";

const task = { id: "tsk_00000000000000000001", name: "Backup", group_name: null, readiness: "ready", reason: "ready" };
const run = { id: "run_00000000000000000001", task_name: "Backup", state: "queued", outcome: null, reason: null };

/** A daemon with one task and one queued run. */
function answer({ path }: RemoteSeen): RemoteReply | null {
  if (path.startsWith("/tasks?")) return { json: { tasks: [task], next_cursor: null } };
  if (path.endsWith("/run")) return { status: 202, json: run };
  if (path.startsWith("/runs?state=queued")) return { json: { runs: [run], next_cursor: null } };
  return path.startsWith("/runs?") ? { json: { runs: [], next_cursor: null } } : null;
}

const isWithToken = ({ headers }: RemoteSeen) => headers.authorization !== undefined;
const revoked = {
  status: 401,
  json: { error: { code: "credential_revoked", field: null, message: "the credential was revoked" } },
};

test("fleet status has a row for each daemon, and the highest exit code", async () => {
  await using machine = await newMachine();
  await using good = await newRemote(answer);
  let isRevoked = false;
  await using refusing = await newRemote((request) => (isRevoked && isWithToken(request) ? revoked : answer(request)));
  await enroll(machine, good, "good");
  await enroll(machine, refusing, "refusing");
  {
    await using gone = await newRemote(answer);
    await enroll(machine, gone, "gone");
  }
  expect((await machine.call(["fleet", "status", "--on", "good"])).stdout).toMatch(
    /^PROFILE\tSTATE\tNAME\tVERSION\tRUNNING\tQUEUED\tFAILED IN 24H\tPROBLEM\ngood\trunning\t\S.*\t0\t1\t0\t\n$/,
  );
  expect((await machine.call(["fleet", "status", "--on", "good"])).code).toBe(0);
  expect((await machine.call(["fleet", "status", "--on", "good,gone"])).code).toBe(4);
  isRevoked = true;
  const all = await machine.call(["fleet", "status"]);
  expect(all.code).toBe(5);
  expect(all.stdout).toMatch(
    /\ngone\tunreachable\t.*\ngood\trunning\t.*\nrefusing\tcredential revoked\t.*\tthe credential was revoked\n$/,
  );
  const { stdout } = await machine.call(["fleet", "status", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    daemons: [
      { profile: "gone", error: { code: "unreachable", exit_code: 4 } },
      { profile: "good", runs: { running: 0, queued: 1, failed_in_24h: 0 } },
      { profile: "refusing", error: { code: "credential_revoked", exit_code: 5 } },
    ],
  });
});

test("fleet run starts the task on each daemon, and a lost response has a row of its own", async () => {
  await using machine = await newMachine();
  await using good = await newRemote(answer);
  await using without = await newRemote((request) =>
    request.path.startsWith("/tasks?") ? { json: { tasks: [], next_cursor: null } } : answer(request),
  );
  await using losing = await newRemote((request) =>
    /\/run$|^\/idempotency\//.test(request.path) ? (response) => response.destroy() : answer(request),
  );
  await enroll(machine, good, "good");
  await enroll(machine, without, "without");
  await enroll(machine, losing, "losing");
  expect(await machine.call(["fleet", "run", "Backup", "--on", "good"])).toMatchObject({ code: 0 });
  expect(await machine.call(["fleet", "run", "Backup", "--on", "good,without"])).toMatchObject({ code: 3 });
  const all = await machine.call(["fleet", "run", "Backup"]);
  expect(all.code).toBe(6);
  expect(all.stdout).toMatch(
    /^PROFILE\tRUN\tID\tPROBLEM\ngood\tqueued\trun_00000000000000000001\t\nlosing\tuncertain\t-\tthe response to tasks\.run was lost.*\nwithout\tnot found\t-\tthere is no task "Backup"\n$/,
  );
  // the run that may have started is not requested again
  expect(losing.daemon.seen.filter(({ path }) => path.endsWith("/run"))).toHaveLength(1);
});

test("fleet tasks lists the tasks of each daemon, and the daemons that do not answer", async () => {
  await using machine = await newMachine();
  await using good = await newRemote(answer);
  await enroll(machine, good, "good");
  {
    await using gone = await newRemote(answer);
    await enroll(machine, gone, "gone");
  }
  const outcome = await machine.call(["fleet", "tasks"]);
  expect(outcome.code).toBe(4);
  expect(outcome.stdout).toMatch(/^PROFILE\tTASK\tSTATE\tPROBLEM\ngone\t-\tunreachable\t.*\ngood\tBackup\tready\t\n$/);
});

test("a fleet needs profiles that exist", async () => {
  await using machine = await newMachine();
  expect(await machine.call(["fleet", "status"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/there are no profiles yet\nMake one for each daemon with: belfry enroll/),
  });
  const outcome = await machine.call(["fleet", "status", "--on", "biuld"]);
  expect([outcome.code, outcome.stdout]).toMatchObject([3, expect.stringContaining('there is no profile "biuld"')]);
});
