import { tempDir, until } from "@belfry/test-kit";
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readArchive, textPart, writeArchive } from "../../src/features/backups/archive.ts";
import { checkBackup } from "../../src/features/backups/index.ts";
import { changeRows } from "../support/api.ts";
import { backUp, restore } from "../support/backups.ts";
import { setBrokenReference } from "../support/damage.ts";
import { type Harness, startDaemon } from "../support/harness.ts";
import { canMount, mountSmallDisk } from "../support/processes/privileges.ts";
import { made2xx, makeTask, runOnce } from "../support/tasks.ts";

const copiesOf = ({ dataDir }: Harness): readonly string[] =>
  existsSync(join(dataDir, "backup.tmp"))
    ? readdirSync(join(dataDir, "backup.tmp")).filter((name) => !/-(wal|shm|journal)$/.test(name))
    : [];

/** Makes the database larger than the buffers of a socket. */
async function fill(daemon: Harness, tasks: number): Promise<void> {
  for (let count = 0; count < tasks; count++) {
    await makeTask(daemon, `: ${String(count).repeat(60_000)}`.slice(0, 60_000));
    // how large the log grows until the daemon empties it depends on the machine
    if (count % 10 === 9) changeRows(daemon, "PRAGMA wal_checkpoint(TRUNCATE)");
  }
}

/** Asks for a backup without reading it. */
function ask({ socketPath }: Harness) {
  const outgoing = request({ socketPath, method: "POST", path: "/v1/backup" });
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    outgoing.on("response", resolve).on("error", reject),
  );
  answered.catch(() => {});
  outgoing.end();
  return { answered, leave: () => void outgoing.destroy() };
}

const auditOf = async (daemon: Harness) =>
  (await made2xx(daemon.call("GET", "/v1/audit?operation=backups.create"))).audit_events.map(
    ({ result }: { readonly result: string }) => result,
  );

test("one backup is made at a time, until its reader has it or has left", async () => {
  await using place = await tempDir("bf-");
  await using daemon = await startDaemon();
  await fill(daemon, 60);
  const first = ask(daemon);
  expect((await first.answered).statusCode).toBe(200);
  const refused = await daemon.call("POST", "/v1/backup");
  expect(refused).toMatchObject({
    status: 409,
    json: {
      error: { code: "conflict", message: expect.stringMatching(/another backup has been in progress since 20\d\d-/) },
    },
  });
  expect(copiesOf(daemon)).toHaveLength(1);
  first.leave();
  await until("the end of the first backup", () => copiesOf(daemon).length === 0);
  await backUp(daemon, join(place.path, "a.tar"));
  expect(await auditOf(daemon)).toEqual(["allowed", "failed", "allowed"]);
});

test("a caller that leaves during the copy ends it", async () => {
  await using daemon = await startDaemon();
  await fill(daemon, 300);
  const call = ask(daemon);
  await until("the copy", () => copiesOf(daemon).length > 0);
  call.leave();
  await until("the refusal", async () => (await auditOf(daemon)).length > 0);
  expect(await auditOf(daemon)).toEqual(["failed"]);
  expect(copiesOf(daemon)).toEqual([]);
  expect((await daemon.call("POST", "/v1/backup")).status).toBe(200);
});

test("a database that could not be restored makes no backup", async () => {
  await using daemon = await startDaemon();
  setBrokenReference(daemon.dataDir, true);
  expect(await daemon.call("POST", "/v1/backup")).toMatchObject({
    status: 409,
    json: {
      error: { message: expect.stringMatching(/the database is damaged \(table task_results: .*doctor --database/) },
    },
  });
  expect(copiesOf(daemon)).toEqual([]);
  setBrokenReference(daemon.dataDir, false);
  expect((await daemon.call("POST", "/v1/backup")).status).toBe(200);
});

test("a passphrase that no terminal and no file can give is refused", async () => {
  await using daemon = await startDaemon();
  for (const passphrase of [
    "secret phrase ",
    " secret phrase",
    "secret phrase\n",
    "secret\tphrase",
    "secret\u0000phrase",
  ])
    expect(await daemon.call("POST", "/v1/backup", { passphrase })).toMatchObject({
      status: 400,
      json: {
        error: { field: "passphrase", message: expect.stringMatching(/no white space at its beginning or end/) },
      },
    });
});

describe.runIf(canMount)("a disk without space", () => {
  test("of the data directory refuses the backup before it is full, and runs go on", async () => {
    // a copy would fit, but what the daemon records meanwhile would not
    await using disk = (await mountSmallDisk(30_000))!;
    await using daemon = await startDaemon({ dataDir: disk.path });
    await fill(daemon, 110);
    expect(await daemon.call("POST", "/v1/backup")).toMatchObject({
      status: 409,
      json: {
        error: {
          message: expect.stringMatching(
            /has only [12]\d\.\d MB of free space, but a backup needs [\d.]+ MB, for a copy of the database and for what/,
          ),
        },
      },
    });
    expect((await runOnce(daemon, ":")).outcome).toBe("success");
  });

  test("of the restored directory is named, and nothing is left", async () => {
    await using place = await tempDir("bf-");
    await using disk = (await mountSmallDisk(1_000))!;
    const file = join(place.path, "a.tar");
    {
      await using daemon = await startDaemon();
      await fill(daemon, 40);
      await backUp(daemon, file);
    }
    const dataDir = join(disk.path, "data");
    await expect(restore(file, dataDir)).rejects.toThrow(/the disk of .*belfry.db has \d+ bytes of free space, but/);
    expect(readdirSync(dataDir).filter((name) => name !== "lock")).toEqual([]);
  });

  test("for the files beside the database is no damage of the backup", async () => {
    await using place = await tempDir("bf-");
    const file = join(place.path, "a.tar");
    const sizes: number[] = [];
    {
      await using daemon = await startDaemon();
      await backUp(daemon, file);
      for await (const { name, size, content } of readArchive(createReadStream(file))) {
        if (name === "belfry.db") sizes.push(size);
        for await (const _ of content) continue;
      }
    }
    // the database fits to the page, and nothing else
    await using disk = (await mountSmallDisk(sizes[0]! / 1024))!;
    const dataDir = join(disk.path, "data");
    await expect(restore(file, dataDir)).rejects.toThrow(
      /^the disk of .*belfry.db is full: free some space, and repeat/,
    );
    expect(readdirSync(dataDir).filter((name) => name !== "lock")).toEqual([]);
  });
});

test("a file that only looks like a backup is refused in one sentence", async () => {
  await using place = await tempDir("bf-");
  const file = join(place.path, "a.tar");
  const good = join(place.path, "good.tar");
  {
    await using daemon = await startDaemon();
    await backUp(daemon, good, { passphrase: "correct horse" });
  }
  /** Copies the backup with other texts. */
  const forge = async (change: (name: string, text: string) => string): Promise<void> => {
    async function* parts() {
      for await (const part of readArchive(createReadStream(good))) {
        const pieces: Uint8Array[] = [];
        for await (const piece of part.content) pieces.push(piece);
        const content = Buffer.concat(pieces);
        if (!part.name.endsWith(".json")) yield { ...part, content: [content] };
        else yield textPart(part.name, change(part.name, content.toString()));
      }
    }
    const pieces: Uint8Array[] = [];
    for await (const piece of writeArchive(parts())) pieces.push(piece);
    await writeFile(file, Buffer.concat(pieces));
  };
  const lists = ["null", '{"files":1}', '{"files":[null]}', "{"];
  for (const list of lists) {
    await forge((name, text) => (name === "files.json" ? list : text));
    await expect(checkBackup({ file, passphrase: null })).rejects.toThrow(/damaged: its list of files cannot be read/);
  }
  const describe_ = (change: object) => (name: string, text: string) =>
    name === "files.json" ? text : JSON.stringify({ ...JSON.parse(text), ...change });
  for (const key_sealing of [{}, 1, { cipher: "aes-256-gcm", kdf: "scrypt", n: 2 ** 30, r: 8, p: 1 }]) {
    await forge(describe_({ key_sealing }));
    await expect(checkBackup({ file, passphrase: "correct horse" })).rejects.toThrow(/its description cannot be read/);
  }
  await forge(describe_({ format: 2 }));
  await expect(checkBackup({ file, passphrase: null })).rejects.toThrow(/made by a newer version/);
});

test("an archive with anything but regular files, or with a file twice, is refused and writes nothing", async () => {
  await using place = await tempDir("bf-");
  const good = join(place.path, "good.tar");
  const files = join(place.path, "files");
  {
    await using daemon = await startDaemon();
    await backUp(daemon, good);
  }
  await mkdir(files);
  execFileSync("tar", ["-xf", good, "-C", files]);
  await symlink("/etc/passwd", join(files, "sealing.key.sealed"));
  await mkdir(join(files, "attempts/kept/ab"), { recursive: true });
  execFileSync("ln", [join(files, "belfry.db"), join(files, "hard")]);
  execFileSync("mkfifo", [join(files, "fifo")]);
  const cases = [
    ["sealing.key.sealed", /"sealing.key.sealed" in it is not a regular file/],
    ["hard", /"hard" in it is not a regular file/],
    ["attempts/", /"attempts\/" in it is not a regular file/],
    ["fifo", /"fifo" in it is not a regular file/],
    ["./sealing.key", /an unknown file, ".\/sealing.key"/],
    ["--hard-dereference belfry.db", /it contains "belfry.db" twice/],
  ] as const;
  const dataDir = join(place.path, "restored");
  for (const [name, expected] of cases) {
    const bad = join(place.path, "bad.tar");
    const added = ["belfry-backup.json", "belfry.db", ...name.split(" "), "sealing.key", "files.json"];
    execFileSync("tar", ["--no-recursion", "-cf", bad, "-C", files, ...added]);
    await expect(checkBackup({ file: bad, passphrase: null })).rejects.toThrow(expected);
    await expect(restore(bad, dataDir)).rejects.toThrow(expected);
    expect(readdirSync(dataDir).filter((found) => found !== "lock")).toEqual([]);
  }
});

test("what is no backup is refused in our words, and zeros without end do not keep the check", async () => {
  await using place = await tempDir("bf-");
  const letter = join(place.path, "letter.txt");
  await writeFile(letter, "Dear reader\n".repeat(1_000));
  const other = join(place.path, "other.tar");
  execFileSync("tar", ["-cf", other, "-C", place.path, "letter.txt"]);
  for (const file of [letter, other, "/dev/zero", "/dev/null"])
    await expect(checkBackup({ file, passphrase: null })).rejects.toThrow(
      `${file} is not a Belfry backup: give a file that \`belfry backup create\` has written`,
    );
  await expect(checkBackup({ file: place.path, passphrase: null })).rejects.toThrow(/is a directory: give the file/);
  await expect(checkBackup({ file: `${letter}x`, passphrase: null })).rejects.toThrow(/there is no file .*letter.txtx/);
});
