import { tempDir } from "@belfry/test-kit";
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeConnectFailure } from "./connect-failure.ts";

const failed = (code: string) => Object.assign(new Error(`connect ${code}`), { code });
const uid = process.getuid?.() ?? 0;

test("a missing socket and a socket without a listener have different messages", () => {
  expect(describeConnectFailure(failed("ENOENT"), "/d/b.sock").message).toContain("no socket at /d/b.sock");
  expect(describeConnectFailure(failed("ECONNREFUSED"), "/d/b.sock").message).toContain("nothing listens at /d/b.sock");
});

test("the message names every place where the socket may have been", async () => {
  await using dir = await tempDir();
  const other = join(dir.path, "there");
  writeFileSync(other, "");
  const places = ["/d/b.sock", "/e/b.sock", other];
  expect(describeConnectFailure(failed("ENOENT"), "/d/b.sock", places).message).toBe(
    "The daemon is not running (no socket at /d/b.sock or /e/b.sock). Start it with `belfry daemon run`.",
  );
  expect(describeConnectFailure(failed("ECONNREFUSED"), "/d/b.sock", places).message).toBe(
    "The daemon is not running (nothing listens at /d/b.sock, and there is no socket at /e/b.sock). Start it with `belfry daemon run`.",
  );
});

test("a permission error names the owner and mode of the socket", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "b.sock");
  writeFileSync(path, "");
  chmodSync(path, 0o600);
  expect(describeConnectFailure(failed("EACCES"), path)).toMatchObject({
    code: "EACCES",
    message: `You do not have permission to use the daemon's socket ${path}: ${path} belongs to uid ${uid} with mode 0600, and this process runs as uid ${uid}. Run the program as the daemon's user.`,
  });
});

test("a permission error of a socket that is open to a group names the group", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "fire.sock");
  writeFileSync(path, "");
  chmodSync(path, 0o660);
  const { gid } = statSync(path);
  expect(describeConnectFailure(failed("EACCES"), path).message).toMatch(
    new RegExp(`Run the program as the daemon's user or as a member of the group with gid ${gid}\\.$`),
  );
});

test("if the socket is not visible, the error names the directory that hides it", async () => {
  await using dir = await tempDir();
  const closed = join(dir.path, "closed");
  mkdirSync(closed, { mode: 0o700 });
  const { message } = describeConnectFailure(failed("EACCES"), join(closed, "b.sock"));
  expect(message).toContain(`${closed} belongs to uid ${uid} with mode 0700`);
});

test("any other failure keeps the system's message", () => {
  expect(describeConnectFailure(failed("EINVAL"), "/d/b.sock").message).toBe(
    "The daemon cannot be reached at /d/b.sock: connect EINVAL. Check the path of the socket.",
  );
});
