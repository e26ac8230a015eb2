import type { Pairing, PairingSecret } from "@belfry/client";
import { tempDir } from "@belfry/test-kit";
import { createHash, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { enableRemote } from "../../../../packages/server/tests/support/api.ts";
import { startBelfry } from "../belfry.ts";

const invited = /\nbfi1\.[\w.-]+\n/;

test("a client is invited, enrols with the phrase, and is shown as used", async () => {
  await using belfry = await startBelfry();
  await using home = await tempDir("bc-");
  await enableRemote(belfry.daemon);
  const text = await belfry.text("pair", "Ada", "--capability", "operate", "--expires-in", "90s");
  const [, invitation, phrase] = /on one line:\n\n(bfi1\S+)\n\n[^\n]+\n\n(\S+)\n\n/.exec(text)!;
  expect(phrase!.split("-")).toHaveLength(6);
  const root = new X509Certificate(await readFile(join(belfry.daemon.dataDir, "remote/root.pem")));
  expect(text).toContain(`\nFingerprint: ${createHash("sha256").update(root.raw).digest("hex")}\n`);
  expect(text).toMatch(/Addresses: 127\.0\.0\.1:\d+\nFingerprint: [0-9a-f]{64}\nIt can be used once, until 20\d\d-/);
  expect(await belfry.text("pairing", "list")).toMatch(
    /^FOR +CAPABILITY +STATE +TRIES LEFT [^\n]*ID\nAda +operate +open +5 /,
  );

  const environment = { HOME: home.path, XDG_CONFIG_HOME: home.path };
  const enrolled = await belfry.call(["enroll", invitation!, "--name", "build"], {
    environment,
    stdin: `${phrase!.toUpperCase()}\n`,
  });
  expect(enrolled.stderr).toBe("");
  expect(enrolled.code).toBe(0);
  expect(enrolled.stdout).not.toContain(phrase);
  const [pairing] = (await belfry.json<{ pairings: readonly Pairing[] }>("pairing", "list", "--state", "used"))
    .pairings;
  expect(pairing).toMatchObject({ name: "Ada", tries_left: 4 });
  const tasks = await belfry.call(["--profile", "build", "task", "list"], { environment });
  expect(tasks.code, tasks.stderr).toBe(0);
  // an invitation of another client of the same actor
  const again = await belfry.json<PairingSecret>("pair", "--actor", "Ada", "--kind", "desktop");
  expect(again.phrase.split("-")).toHaveLength(6);
  // pairings belong to the daemon's own machine
  const remotely = await belfry.call(["--profile", "build", "pair", "Eve", "--capability", "enroll"], { environment });
  expect(remotely.code).toBe(2);
  expect(remotely.stderr).toMatch(/works only on the daemon's own machine/);
});

test("a pairing is withdrawn by its id", async () => {
  await using belfry = await startBelfry();
  await enableRemote(belfry.daemon);
  const { pairing_id } = await belfry.json<PairingSecret>("pair", "Ada", "--capability", "observe");
  expect(await belfry.text("pairing", "delete", pairing_id)).toBe(`Deleted the pairing for "Ada" (${pairing_id})\n`);
  expect((await belfry.call(["pairing", "delete", pairing_id])).code).toBe(3);
  expect((await belfry.call(["pairing", "list"])).stderr).toBe("No pairings match\n");
});

test("the QR code of the invitation is drawn where it fits, and never contains the phrase", async () => {
  await using belfry = await startBelfry();
  await enableRemote(belfry.daemon);
  const pair = async (columns: number | undefined, ...more: readonly string[]) =>
    belfry.call(
      ["pair", `Ada ${columns} ${more.length}`, "--capability", "observe", ...more],
      columns === undefined ? {} : { columns },
    );
  const [wide, narrow, piped, forced] = [
    await pair(160),
    await pair(60),
    await pair(undefined),
    await pair(undefined, "--qr"),
  ];
  for (const { stdout, code } of [wide, narrow, piped, forced]) {
    expect(code).toBe(0);
    expect(stdout).toMatch(invited);
  }
  expect(wide.stdout).toContain("\u001B[30;107m");
  for (const { stdout } of [narrow, piped]) expect(stdout).not.toMatch(/[\u2580\u2584\u2588]/);
  expect(narrow.stderr).toMatch(/needs a terminal of \d+ columns\. To print it here, add --qr/);
  expect(piped.stderr).toBe("");
  expect(forced.stdout).toMatch(/\u2588/);
  expect(forced.stdout).not.toContain("\u001B");
});

test("what is missing is said before anything is created", async () => {
  await using belfry = await startBelfry();
  for (const [args, message] of [
    [["pair"], "give either the name of a new actor, or --actor with an existing one"],
    [["pair", "Ada", "--actor", "Ada"], "give either the name of a new actor, or --actor with an existing one"],
    [["pair", "Ada"], "missing --capability: give observe, operate, manage or enroll"],
    [["pair", "--actor", "Ada", "--capability", "observe"], "--capability cannot be given with --actor"],
  ] as const) {
    const outcome = await belfry.call(args);
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain(message);
  }
  const off = await belfry.call(["pair", "Ada", "--capability", "observe"]);
  expect(off.code).toBe(1);
  expect(off.stderr).toContain("the remote API is off, so no client can enrol: run `belfry remote enable` first");
  const long = await belfry.call(["pair", "Ada", "--capability", "observe", "--expires-in", "1h"]);
  expect(long.code).toBe(2);
  expect(long.stderr).toContain("--expires-in must be between 1s and 10m");
});
