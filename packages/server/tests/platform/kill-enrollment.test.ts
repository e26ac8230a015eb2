import { tempDir } from "@belfry/test-kit";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { enrollmentOf, query } from "../support/api.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { enrollmentRequest, remoteCallOf } from "../support/remote-call.ts";

const daemons = useDaemonProcess();
const killer = fileURLToPath(new URL("../support/processes/kill-at-commit.ts", import.meta.url));

/*
 * An enrolment has two commits: the first counts the try, and the second creates the credential. The phrase is compared
 * between the two.
 */
test.each([
  { commit: 1, side: "before", triesLeft: 5, credentials: 0 },
  { commit: 1, side: "after", triesLeft: 4, credentials: 0 },
  { commit: 2, side: "before", triesLeft: 4, credentials: 0 },
  { commit: 2, side: "after", triesLeft: 4, credentials: 1 },
])(
  "a daemon that is killed $side commit $commit of an enrolment has counted the try once it was checked",
  async ({ commit, side, triesLeft, credentials }) => {
    await using dir = await tempDir("bk-");
    const environment = {
      PATH: "/usr/bin:/bin",
      HOME: "/tmp",
      NODE_OPTIONS: `--import=${killer}`,
      KILL_FROM: 'update "pairings" set "tries"',
      KILL_AT: String(commit),
      KILL_SIDE: side,
    };
    const killed = await daemons.start({ dataDir: dir.path, environment });
    const callRemotely = await remoteCallOf(killed);
    const enrollment = await enrollmentOf(killed);
    await expect(callRemotely(enrollmentRequest(enrollment))).rejects.toThrow();
    // null: a signal ended it
    expect(await killed.ended).toBeNull();
    expect(query(killed, "SELECT id FROM credentials")).toHaveLength(credentials);

    await using daemon = await daemons.start({ dataDir: dir.path });
    const { json: pairing } = await daemon.call("GET", `/v1/access/pairings/${enrollment.pairing_id}`);
    expect(pairing).toMatchObject({ tries_left: triesLeft, state: credentials === 0 ? "open" : "used" });
    const again = await (await remoteCallOf(daemon))(enrollmentRequest(enrollment));
    expect(again.status, again.text).toBe(credentials === 0 ? 201 : 401);
    expect(query(daemon, "SELECT id FROM credentials")).toHaveLength(1);
  },
);

test("a token that was returned over TLS works, and stops working at once when it is revoked", async () => {
  await using daemon = await daemons.start();
  const callRemotely = await remoteCallOf(daemon);
  const { json } = await callRemotely(enrollmentRequest(await enrollmentOf(daemon, { capability: "observe" })));
  const token = json.access_token as string;
  const current = () => callRemotely({ path: "/api/v1/access/current", token });
  expect((await current()).json).toMatchObject({ actor_id: json.actor_id, credential_id: json.credential_id });
  await daemon.call("POST", `/v1/access/credentials/${json.credential_id}/revoke`);
  expect((await current()).json.error.code).toBe("credential_revoked");
  // pairings are managed on the daemon's machine only
  expect((await callRemotely({ path: "/api/v1/access/pairings", token })).status).toBe(404);
});
