import { expect, test } from "vitest";
import { asCommandError, isDiskFull } from "./command-error.ts";

const failure = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code, syscall: "write" });

test.each([
  ["ENOSPC", /^the disk of \/x is full: free some space, and repeat the command$/],
  ["SQLITE_FULL", /^the disk of \/x is full/],
  ["SQLITE_IOERR_SHMSIZE", /^the disk of \/x is full/],
  ["SQLITE_IOERR_WRITE", /^the disk of \/x is full or failing/],
  ["EROFS", /^the disk of \/x is read-only/],
  ["SQLITE_CANTOPEN", /^\/x cannot be opened or written/],
  ["SQLITE_BUSY", /^\/x is locked by another program/],
  ["SQLITE_CORRUPT", /^the database of the backup is damaged: use another backup$/],
  ["EMFILE", /^\/x cannot be used \(EMFILE: it failed\)/],
])("%s is explained without a daemon to restart", (code, sentence) => {
  const { message } = asCommandError(failure(code), "/x");
  expect(message).toMatch(sentence);
  expect(message).not.toMatch(/daemon/);
  expect(isDiskFull(failure(code))).toBe(/NOSPC|FULL|SHMSIZE/.test(code));
});
