import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the time at which its `main` began, in nanoseconds, and its scheduled time, if the scheduler passes one. */
const source = String.raw`
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const char *due = getenv("BELFRY_SCHEDULED_FOR");
  char line[200];
  int length = snprintf(line, sizeof line, "%lld %s\n", now.tv_sec * 1000000000LL + now.tv_nsec, due ? due : "-");
  int file = open(argv[1], O_WRONLY | O_APPEND | O_CREAT, 0600);
  return write(file, line, length) == length ? 0 : 1;
}
`;

/** Builds a program that appends its start to a file. */
export function buildProgram(dir: string): { readonly binary: string; readonly started: string } {
  const [code, binary, started] = ["started.c", "started", "started.txt"].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(code, source);
  execFileSync("cc", ["-O2", "-o", binary, code]);
  return { binary, started };
}

/** Reads the starts: the scheduled time in milliseconds, and how late the program began. */
export function readStarts(started: string): readonly { readonly due: number; readonly lateMs: number }[] {
  return readTimes(started).map(({ atMs, text }) => ({ due: Date.parse(text), lateMs: atMs - Date.parse(text) }));
}

/** Reads the starts of programs that were all due at multiples of `everyMs`, whatever the scheduler passed to them. */
export function readBursts(
  started: string,
  everyMs: number,
): readonly { readonly due: number; readonly lateMs: number }[] {
  return readTimes(started).map(({ atMs }) => {
    const due = Math.floor(atMs / everyMs) * everyMs;
    return { due, lateMs: atMs - due };
  });
}

function readTimes(started: string): readonly { readonly atMs: number; readonly text: string }[] {
  const lines = readFileSync(started, "utf8").trim().split("\n");
  return lines.map((line) => {
    const [at, text] = line.split(" ") as [string, string];
    return { atMs: Number(BigInt(at) / 1_000n) / 1_000, text };
  });
}
