import { parseInvitation } from "@belfry/contract";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { accessToken, currentAccess, daemonId, phrase } from "../../../../packages/client/tests/fake-remote-daemon.ts";
import { enroll, newMachine, newRemote } from "../machine.ts";

const refusal = (status: number, code: string) => ({
  status,
  json: { error: { code, field: null, message: `the daemon says ${code}` } },
});

const emptyList = {
  json: { triggers: [], trigger_sets: [], filesystem_watchers: [], notification_channels: [], next_cursor: null },
};

describe("enrolment", () => {
  test("sends the phrase once, and keeps the profile in a file that only its owner can read", async () => {
    await using machine = await newMachine();
    await using remote = await newRemote();
    const { stdout } = await enroll(machine, remote, "build");
    expect(stdout).toContain(`Enrolled with the daemon at ${remote.daemon.address} as profile "build" (operate)\n`);
    expect(stdout).toContain("Use it with: belfry --profile build task list\n");
    const [, sent] = remote.daemon.seen;
    expect(JSON.parse(sent!.body)).toMatchObject({ phrase, daemon_id: daemonId, display_name: expect.any(String) });

    const file = join(machine.profiles, "build.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(machine.profiles)).mode & 0o777).toBe(0o700);
    expect(await readdir(machine.profiles)).toEqual(["build.json"]);
    expect(await readFile(file, "utf8")).toContain(accessToken);
  });

  test("prints the token in no form", async () => {
    await using machine = await newMachine();
    await using remote = await newRemote();
    const enrolled = await enroll(machine, remote, "build");
    const calls = [
      ["profile", "list"],
      ["profile", "show", "build"],
      ["profile", "use", "build"],
      ["manifest", "show"],
    ].flatMap((words) => [words, [...words, "--json"]]);
    const outcomes = [enrolled];
    for (const words of calls) outcomes.push(await machine.call(words));
    const text = JSON.stringify(outcomes);
    expect(text).toContain("crd_1");
    expect(text).not.toContain(accessToken);
    expect(text).not.toContain(phrase);
  });

  test("takes its name from the address, and asks for one if the name is taken", async () => {
    await using machine = await newMachine();
    await using remote = await newRemote();
    expect((await machine.call(["enroll", remote.invitation], { stdin: phrase })).code).toBe(0);
    expect(await readdir(machine.profiles)).toEqual(["127.0.0.1.json"]);
    remote.daemon.cut();
    const before = remote.daemon.seen.length;
    const again = await machine.call(["enroll", remote.invitation], { stdin: phrase });
    expect([again.code, again.stderr]).toEqual([
      2,
      'belfry: there is already a profile named "127.0.0.1"\nChoose another name, or remove the profile with: belfry profile remove 127.0.0.1\n',
    ]);
    // the phrase is not used up
    expect(remote.daemon.seen).toHaveLength(before);
  });

  test.each([
    ["a cut invitation", (invitation: string) => [invitation.slice(0, -3)], /the invitation is not complete/],
    ["a name with a slash", (invitation: string) => [invitation, "--name", "../x"], /invalid profile name "..\/x"/],
    ["the reserved name", (invitation: string) => [invitation, "--name", "local"], /"local" is reserved/],
    ["the phrase as an argument", (invitation: string) => [invitation, phrase], /unexpected argument\n/],
  ])("refuses %s without calling the daemon", async (_, words, message) => {
    await using machine = await newMachine();
    await using remote = await newRemote();
    const outcome = await machine.call(["enroll", ...words(remote.invitation)], { stdin: phrase });
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
    expect(outcome.stderr).not.toContain(phrase);
    expect(remote.daemon.seen).toEqual([]);
  });

  test("asks for the phrase at a terminal, without showing it, and says first where it leads", async () => {
    await using machine = await newMachine();
    await using remote = await newRemote();
    const modes: boolean[] = [];
    const typed = { keys: [...phrase, "\r"], setRawMode: (isRaw: boolean) => void modes.push(isRaw) };
    const outcome = await machine.call(["enroll", remote.invitation], { typed });
    const { addresses, trust } = parseInvitation(remote.invitation)!;
    if (trust.kind !== "root") throw new Error("the invitation has no root");
    const fingerprint = createHash("sha256").update(trust.certificate).digest("hex");
    expect(outcome.code).toBe(0);
    expect(outcome.stderr).toBe(
      `The invitation leads to: ${addresses.join(", ")}\nFingerprint: ${fingerprint}\n` +
        "Enter the phrase only if `belfry pair` printed the same fingerprint.\nPhrase (not shown): \n",
    );
    expect(modes).toEqual([true, false]);
  });

  test("trusts the key of a certificate of the daemon's own, under the authority that the user names", async () => {
    await using machine = await newMachine();
    await using remote = await newRemote();
    const authority = join(machine.environment["HOME"]!, "authority.pem");
    const enrolling = ["enroll", remote.keyInvitation, "--name", "build"];
    await writeFile(authority, "no certificate");
    expect(await machine.call([...enrolling, "--authority", authority], { stdin: phrase })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/authority\.pem contains no certificate in PEM/),
    });
    // this system does not trust the authority
    expect((await machine.call(enrolling, { stdin: phrase })).code).toBe(5);
    expect(remote.daemon.seen).toEqual([]);
    await writeFile(authority, remote.authority);
    expect((await machine.call([...enrolling, "--authority", authority], { stdin: phrase })).code).toBe(0);
    expect((await machine.call(["profile", "show", "build"])).stdout).toMatch(
      /\nTrusts the public key +SHA-256 [0-9a-f]{64}\n/,
    );
    expect((await machine.call(["--profile", "build", "manifest", "show"])).code).toBe(0);
  });

  test("keeps nothing after a wrong phrase", async () => {
    await using machine = await newMachine();
    await using remote = await newRemote(({ path }) => (path === "/enroll" ? refusal(401, "unauthorized") : null));
    const outcome = await machine.call(["enroll", remote.invitation, "--name", "build"], { stdin: "wrong" });
    expect(outcome).toMatchObject({ code: 5, stderr: expect.stringContaining("the daemon says unauthorized") });
    expect((await machine.call(["profile", "list"])).stderr).toContain("No profiles yet");
  });

  test("reports a lost answer as uncertain", async () => {
    await using machine = await newMachine();
    await using remote = await newRemote(({ path }) => (path === "/enroll" ? (response) => response.destroy() : null));
    const outcome = await machine.call(["enroll", remote.invitation, "--name", "build"], { stdin: phrase });
    expect(outcome).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/belfry credential revoke[^]*belfry pair/),
    });
  });

  test("names the credential to revoke if the profile cannot be kept", async () => {
    await using machine = await newMachine();
    const file = join(machine.profiles, "build.json");
    // another process takes the name while the daemon answers
    await using remote = await newRemote(({ path }) => {
      if (path === "/enroll") {
        mkdirSync(machine.profiles, { recursive: true });
        writeFileSync(file, "of another process");
      }
      return null;
    });
    const outcome = await machine.call(["enroll", remote.invitation, "--name", "build"], { stdin: phrase });
    expect(outcome).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/there is already a profile named "build"\n[^]*belfry credential revoke crd_1\n/),
    });
    expect(outcome.stderr).not.toContain(accessToken);
    expect(await readFile(file, "utf8")).toBe("of another process");
  });
});

test("profiles are listed, shown, used, renamed and removed", async () => {
  await using machine = await newMachine();
  await using remote = await newRemote();
  await enroll(machine, remote, "build");
  await enroll(machine, remote, "web");
  const list = async () =>
    (JSON.parse((await machine.call(["profile", "list", "--json"])).stdout) as { profiles: object[] }).profiles;
  expect(await list()).toMatchObject([
    { name: "build", in_use: false, store: "file", addresses: [remote.daemon.address], capability: "operate" },
    { name: "web", in_use: false },
  ]);
  expect((await machine.call(["profile", "show", "build"])).stdout).toMatch(
    new RegExp(
      `^Profile +build\nIn use +no\nAddresses +127.0.0.1:\\d+\nInstallation +${daemonId}\nTrusts the root +SHA-256 `,
    ),
  );
  expect((await machine.call(["profile", "use", "build"])).stdout).toBe(
    'Commands now call the daemon of profile "build"\n',
  );
  const overridden = { environment: { BELFRY_DATA_DIR: "/srv/belfry" } };
  expect((await machine.call(["profile", "use", "build"], overridden)).stderr).toBe(
    "Warning: the environment variable BELFRY_DATA_DIR overrides the profile. Unset it, or give --profile build with each command\n",
  );
  expect((await machine.call(["profile", "use", "local"], overridden)).stderr).toBe("");
  await machine.call(["profile", "use", "build"]);
  await machine.call(["profile", "rename", "build", "old"]);
  expect(await list()).toMatchObject([
    { name: "old", in_use: true },
    { name: "web", in_use: false },
  ]);
  expect(await machine.call(["profile", "rename", "old", "web"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/there is already a profile named "web"/),
  });
  expect(await machine.call(["profile", "remove", "old"])).toMatchObject({
    code: 0,
    stdout: 'Removed profile "old"\n',
    stderr: expect.stringContaining("belfry credential revoke crd_1"),
  });
  expect(await list()).toMatchObject([{ name: "web", in_use: false }]);
  expect(await machine.call(["profile", "use", "wbe"])).toMatchObject({
    code: 3,
    stderr: 'belfry: there is no profile "wbe"\nDid you mean "web"?\n',
  });
});

describe("the daemon that a command calls", () => {
  const show = ["manifest", "show"];
  const nowhere = "/nowhere/belfry.sock";
  const cases: readonly (readonly [
    name: string,
    how: { words?: readonly string[]; environment?: Record<string, string>; inUse?: string; remote: boolean },
  ])[] = [
    ["is on this machine by default", { remote: false }],
    ["is that of --profile", { words: ["--profile", "build"], remote: true }],
    ["is that of BELFRY_PROFILE", { environment: { BELFRY_PROFILE: "build" }, remote: true }],
    ["is that of the profile in use", { inUse: "build", remote: true }],
    ["is on this machine with --profile local", { words: ["--profile", "local"], inUse: "build", remote: false }],
    ["is on this machine with --socket", { words: ["--socket", nowhere], inUse: "build", remote: false }],
    [
      "is on this machine with BELFRY_SOCKET",
      { environment: { BELFRY_SOCKET: nowhere }, inUse: "build", remote: false },
    ],
    [
      "is on this machine with BELFRY_DATA_DIR",
      { environment: { BELFRY_DATA_DIR: "/nowhere" }, inUse: "build", remote: false },
    ],
    [
      "is that of BELFRY_PROFILE although BELFRY_DATA_DIR is set",
      { environment: { BELFRY_PROFILE: "build", BELFRY_DATA_DIR: "/nowhere" }, remote: true },
    ],
    [
      "is that of --profile although BELFRY_SOCKET is set",
      { words: ["--profile", "build"], environment: { BELFRY_SOCKET: nowhere }, remote: true },
    ],
  ];
  test.each(cases)("%s", async (_, { words = [], environment = {}, inUse = "local", remote: isRemote }) => {
    await using machine = await newMachine();
    await using remote = await newRemote();
    await enroll(machine, remote, "build");
    await machine.call(["profile", "use", inUse]);
    const before = remote.daemon.seen.length;
    await machine.call([...words, ...show], {
      environment: { XDG_DATA_HOME: "/nowhere", BELFRY_SOCKET: isRemote ? "" : nowhere, ...environment },
    });
    expect(remote.daemon.seen.length > before).toBe(isRemote);
  });

  test("is never both", async () => {
    await using machine = await newMachine();
    expect(await machine.call(["--profile", "build", "--data-dir", "x", "task", "list"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--profile cannot be combined with --socket or --data-dir/),
    });
  });

  test("must not be remote for a command that needs the daemon's own machine", async () => {
    await using machine = await newMachine();
    await using remote = await newRemote();
    await enroll(machine, remote, "build");
    const before = remote.daemon.seen.length;
    for (const words of [
      ["doctor"],
      ["trigger", "rotate", "x"],
      ["watcher", "delete", "x"],
      ["manifest", "rename", "x"],
      ["credential", "list", "x"],
      // before the empty standard input is read
      ["import", "crontab", "-"],
    ])
      expect(await machine.call(["--profile", "build", ...words])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/this command works only on the daemon's own machine[^]*--profile local/),
      });
    expect(remote.daemon.seen).toHaveLength(before);
    expect((await machine.call(["trigger", "rotate", "--help"])).stdout).toContain(
      "Works only on the daemon's own machine.",
    );
  });
});

describe("a profile is not used", () => {
  test("if other users can read its file", async () => {
    await using machine = await newMachine();
    await using remote = await newRemote();
    await enroll(machine, remote, "build");
    const file = join(machine.profiles, "build.json");
    await chmod(file, 0o644);
    const before = remote.daemon.seen.length;
    expect(await machine.call(["--profile", "build", "task", "list"])).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/other users can open it[^]*chmod 600/),
    });
    expect(remote.daemon.seen).toHaveLength(before);
    const { stdout } = await machine.call(["profile", "list"]);
    expect(stdout).toMatch(/^build\t.*does not belong to you, or other users can open it/m);
  });

  test.each(["", "{", '{"version":2}', '{"version":1,"store":"file","profile":{"addresses":[]}}'])(
    "if its file contains %j",
    async (text) => {
      await using machine = await newMachine();
      await using remote = await newRemote();
      await enroll(machine, remote, "build");
      await writeFile(join(machine.profiles, "build.json"), text);
      expect(await machine.call(["--profile", "build", "task", "list"])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/is damaged, or a later version wrote it/),
      });
    },
  );

  test("if its name leaves the folder of profiles", async () => {
    await using machine = await newMachine();
    expect((await machine.call(["--profile", "../../etc/passwd", "task", "list"])).stderr).toMatch(
      /invalid profile name/,
    );
  });
});

test.each(["trigger", "trigger-set", "watcher", "channel"])(
  "an empty list of %ss says on which machine one is added",
  async (noun) => {
    await using machine = await newMachine();
    await using remote = await newRemote(({ path }) =>
      /^\/(?:trigger|filesystem|notif)/.test(path) ? emptyList : null,
    );
    await enroll(machine, remote, "build");
    expect((await machine.call(["--profile", "build", noun, "list"])).stderr).toMatch(
      new RegExp(`^No .* yet\\. On the daemon's machine, add one with: belfry ${noun} add `),
    );
  },
);

test("BELFRY_TOKEN_FILE replaces the token of a profile", async () => {
  await using machine = await newMachine();
  await using remote = await newRemote();
  await enroll(machine, remote, "build");
  const file = join(machine.environment["HOME"]!, "token");
  const other = `bat_aaaaaaaa_${"b".repeat(43)}`;
  await writeFile(file, `${other}\n`);
  await machine.call(["--profile", "build", "manifest", "show"], {
    environment: { BELFRY_TOKEN_FILE: file },
  });
  const sent = remote.daemon.seen.slice(2).flatMap(({ headers }) => headers.authorization ?? []);
  expect([...new Set(sent)]).toEqual([`Bearer ${other}`]);
  // another file is not sent
  await writeFile(file, "root:x:0:0");
  const before = remote.daemon.seen.length;
  expect(
    await machine.call(["--profile", "build", "manifest", "show"], { environment: { BELFRY_TOKEN_FILE: file } }),
  ).toMatchObject({ code: 2, stderr: expect.stringMatching(/token does not contain an access token\n/) });
  expect(remote.daemon.seen).toHaveLength(before);
  // the daemon does not know the token
  await writeFile(file, other);
  await using refusing = await newRemote(({ headers }) =>
    headers.authorization === `Bearer ${other}` ? refusal(401, "unauthorized") : null,
  );
  await enroll(machine, refusing, "strict");
  expect(
    await machine.call(["--profile", "strict", "manifest", "show"], { environment: { BELFRY_TOKEN_FILE: file } }),
  ).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(
      /\nThe token is that of .*\/token, which BELFRY_TOKEN_FILE names\. .* profile "strict"\n$/,
    ),
  });
  // a token belongs to one daemon
  expect(await machine.call(["fleet", "status"], { environment: { BELFRY_TOKEN_FILE: file } })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/BELFRY_TOKEN_FILE is the token of one daemon/),
  });
});

describe("a command stops with exit code 5", () => {
  test("if the credential was revoked", async () => {
    await using machine = await newMachine();
    let isRevoked = false;
    await using remote = await newRemote(({ headers }) =>
      isRevoked && headers.authorization !== undefined ? refusal(401, "credential_revoked") : null,
    );
    await enroll(machine, remote, "build");
    isRevoked = true;
    expect(await machine.call(["--profile", "build", "task", "list"])).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(
        /the daemon says credential_revoked\nRemove the profile with: belfry profile remove build\n/,
      ),
    });
  });

  test("if the daemon grants less than the profile expects, until the user accepts it", async () => {
    await using machine = await newMachine();
    let capability = "operate";
    await using remote = await newRemote(({ path }) =>
      path === "/access/current" ? { json: { ...currentAccess, capability } } : null,
    );
    await enroll(machine, remote, "build");
    capability = "observe";
    const show = ["--profile", "build", "--json", "manifest", "show"];
    const refused = await machine.call(show);
    expect(refused.code).toBe(5);
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: "grant_reduced", exit_code: 5 } });
    expect(remote.daemon.seen.at(-1)!.path).toBe("/access/current");
    expect((await machine.call(["profile", "edit", "build", "--capability", "observe"])).stdout).toBe(
      'Profile "build" now expects observe\n',
    );
    await machine.call(show);
    expect(remote.daemon.seen.at(-1)!.path).not.toBe("/access/current");
  });

  test("if another server answers at the address", async () => {
    await using machine = await newMachine();
    await using remote = await newRemote();
    await enroll(machine, remote, "build");
    await using impostor = await newRemote();
    const file = join(machine.profiles, "build.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace(remote.daemon.address, impostor.daemon.address));
    const outcome = await machine.call(["--profile", "build", "--json", "task", "list"]);
    expect(outcome.code).toBe(5);
    expect(JSON.parse(outcome.stderr)).toMatchObject({ error: { code: "untrusted" } });
    const { stderr } = await machine.call(["--profile", "build", "task", "list"]);
    // said once, with one piece of advice
    expect(stderr.split("is not signed by the authority")).toHaveLength(2);
    expect(stderr).toMatch(
      /\nIf you replaced or reset the daemon, run belfry pair on its machine, .* with another --name\n$/,
    );
    expect(impostor.daemon.seen).toEqual([]);
  });
});

test("the error of a daemon cannot control the terminal", async () => {
  await using machine = await newMachine();
  const message = "gone\u001b[2J\u001b]0;title\u0007\u009b1m\u202e";
  await using remote = await newRemote(({ path }) =>
    path === "/tasks/tsk_00000000000000000000"
      ? { status: 404, json: { error: { code: "not_found", field: null, message } } }
      : null,
  );
  await enroll(machine, remote, "build");
  expect(await machine.call(["--profile", "build", "task", "show", "tsk_00000000000000000000"])).toMatchObject({
    code: 3,
    stderr:
      "belfry: gone\\x1b[2J\\x1b]0;title\\x07\\x9b1m\\x202e\nList all tasks with: belfry --profile build task list\n",
  });
});

test("a daemon that does not answer gives exit code 4", async () => {
  await using machine = await newMachine();
  {
    await using remote = await newRemote();
    await enroll(machine, remote, "build");
  }
  expect((await machine.call(["--profile", "build", "task", "list"])).code).toBe(4);
});

test("after a lost response, the command to check with names the same daemon", async () => {
  await using machine = await newMachine();
  let isLost = false;
  await using remote = await newRemote(({ method }) => {
    isLost ||= method === "DELETE";
    return isLost ? (response) => response.destroy() : null;
  });
  await enroll(machine, remote, "build");
  const outcome = await machine.call(["--profile", "build", "schedule", "delete", "sch_00000000000000000000"]);
  expect(outcome).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(
      /with: belfry --profile build schedule list, or belfry --profile build audit list\n$/,
    ),
  });
});
