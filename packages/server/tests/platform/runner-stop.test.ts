import { until } from "@belfry/test-kit";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startVersionOf } from "../../src/runner/protocol/messages.ts";
import { isRunning, readStat } from "../../src/runner/processes/processes.ts";
import { makePlace, type Place, shell, startRunner } from "../support/processes/runner-process.ts";
import { survivorsOf } from "../support/processes/runners.ts";

const untilGo = 'until [ -e "$NOTES/go" ]; do sleep 0.02; done';
/** Reads a note once it is complete: each note is one line. */
const readNote = (place: Place, name: string): Promise<string> =>
  until(name, async () => {
    const text = await readFile(join(place.notes, name), "utf8").catch(() => "");
    return text.endsWith("\n") ? text : null;
  });

/** The processes that still run for the tasks of a place; their runner has no such environment. */
const survivors = (place: Place): Promise<readonly string[]> => survivorsOf(place.notes);

describe("a cancel", () => {
  test("ends a task that handles TERM immediately, whatever its exit code", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    daemon.start("default", shell(place, "default", "sleep 60"));
    daemon.start(
      "polite",
      shell(place, "polite", `trap 'echo bye; exit 0' TERM; echo ready > "$NOTES/ready"; ${untilGo}`),
    );
    await daemon.waitFor("started", "default");
    await readNote(place, "ready");
    daemon.cancel("default", 60_000);
    daemon.cancel("polite", 60_000);
    expect(await daemon.end("default")).toMatchObject({
      cause: "cancelled",
      exitCode: null,
      signal: "SIGTERM",
      detail: null,
    });
    expect(await daemon.end("polite")).toMatchObject({
      cause: "cancelled",
      exitCode: 0,
      signal: null,
      stdout: { written: 4 },
    });
  });

  test("kills a task that ignores TERM, after the grace", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    daemon.start("a", shell(place, "a", `trap '' TERM; echo ready > "$NOTES/ready"; ${untilGo}`));
    await readNote(place, "ready");
    const from = performance.now();
    daemon.cancel("a", 400);
    expect(await daemon.end("a")).toMatchObject({ cause: "cancelled", signal: "SIGKILL" });
    expect(performance.now() - from).toBeGreaterThan(390);
  });

  test("that is repeated changes nothing, unless it has a shorter grace", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    const script = `trap 'echo term >> "$NOTES/terms"' TERM; echo ready > "$NOTES/ready"; while :; do sleep 0.02; done`;
    daemon.start("a", shell(place, "a", script));
    await readNote(place, "ready");
    daemon.cancel("a", 60_000);
    daemon.cancel("a", 60_000);
    await readNote(place, "terms");
    expect(await daemon.list()).toMatchObject([{ is: "started" }]);
    daemon.cancel("a", 0);
    expect(await daemon.end("a")).toMatchObject({ cause: "cancelled", signal: "SIGKILL" });
    expect(await readNote(place, "terms")).toBe("term\n");
  });

  test("before the start prevents the start", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    daemon.cancel("a", 0);
    expect(await daemon.end("a")).toMatchObject({ cause: "cancelled", pid: null, startedAt: null, durationMs: 0 });
    daemon.start("a", shell(place, "a", 'echo ran > "$NOTES/ran"'));
    await daemon.untilReports("another report", () => daemon.count("ended") === 2);
    const spec = shell(place, "b", 'echo ran > "$NOTES/ran"');
    daemon.send(
      { do: "start", version: startVersionOf(spec), attempt: "b", spec },
      { do: "cancel", attempt: "b", cause: "cancelled", graceMs: 0 },
    );
    expect(await daemon.end("b")).toMatchObject({ cause: "cancelled", pid: null, startedAt: null });
    expect(await readFile(join(place.notes, "ran")).catch(() => "never")).toBe("never");
  });

  test("after the end of the main process changes nothing", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    daemon.start("a", shell(place, "a", "sleep 30 & exit 5"));
    const { pid } = await daemon.waitFor("started", "a");
    // a process that it left holds its pipes, so the attempt ends a second later
    await until("the main process has ended", () => readStat(pid)?.isZombie !== false);
    daemon.cancel("a", 0);
    expect(await daemon.end("a")).toMatchObject({ cause: "exit", exitCode: 5 });
    expect(await survivors(place)).toHaveLength(1);
    daemon.cancel("a", 0);
    await daemon.untilReports("another report", () => daemon.count("ended") === 2);
    expect(await survivors(place)).toHaveLength(1);
  });
});

describe("a time limit", () => {
  test("writes its cause to the claim before the first signal, and overrules an exit with 0 or a later cancel", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    const script = `trap 'cat "$CLAIM/claim" > "$NOTES/claim"; ${untilGo}; exit 0' TERM; while :; do sleep 0.02; done`;
    daemon.start("a", shell(place, "a", script, { timeoutMs: 10_000, graceMs: 120_000 }));
    expect(await readNote(place, "claim")).toContain('{"attempt":"a","cause":"timeout",');
    daemon.cancel("a", 60_000);
    await writeFile(join(place.notes, "go"), "");
    expect(await daemon.end("a")).toMatchObject({ cause: "timeout", exitCode: 0, signal: null });
  });

  test("of thirty days does not expire immediately", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    daemon.start("a", shell(place, "a", untilGo, { timeoutMs: 30 * 24 * 60 * 60 * 1000 }));
    daemon.start("b", shell(place, "b", "true"));
    await daemon.end("b");
    await writeFile(join(place.notes, "go"), "");
    expect(await daemon.end("a")).toMatchObject({ cause: "exit", exitCode: 0 });
  });
});

/**
 * Scripts that leave a process that ignores TERM and has left the group. The process has no parent in the task, or no
 * mark.
 */
const escapes = {
  "forked twice into a session of its own": `(setsid sh -c 'trap "" TERM HUP; echo $$ > "$NOTES/pid"; while :; do sleep 0.05; done' > /dev/null 2>&1 &)`,
  "is in a session of its own with another environment": `setsid env -i PATH="$PATH" NOTES="$NOTES" sh -c 'trap "" TERM; echo $$ > "$NOTES/pid"; while :; do sleep 0.05; done' &`,
  "forked twice with another environment": `(env -i PATH="$PATH" NOTES="$NOTES" sh -c 'trap "" TERM; echo $$ > "$NOTES/pid"; while :; do sleep 0.05; done' &)`,
} as const;

describe.each(Object.entries(escapes))("a process that %s", (_, escape) => {
  test("does not survive a cancel, though the main process ends on TERM", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    daemon.start("a", shell(place, "a", `${escape}\n${untilGo}`));
    const escaped = readStat(Number(await readNote(place, "pid")))!;
    daemon.cancel("a", 2_000);
    expect(await daemon.end("a")).toMatchObject({ cause: "cancelled", signal: "SIGTERM", detail: null });
    expect(isRunning(escaped)).toBe(false);
    expect(await survivors(place)).toEqual([]);
  });

  test("does not survive a time limit, even if the main process ignores TERM too", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    daemon.start("a", shell(place, "a", `trap '' TERM\n${escape}\n${untilGo}`, { timeoutMs: 15_000, graceMs: 200 }));
    expect(await daemon.end("a")).toMatchObject({ cause: "timeout", signal: "SIGKILL", detail: null });
    await readNote(place, "pid");
    expect(await survivors(place)).toEqual([]);
  });
});

test("many simultaneous cancels leave no process of their attempts, and other attempts continue", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  const names = Array.from({ length: 12 }, (_, number) => `a${number}`);
  for (const name of [...names, "other"]) {
    daemon.start(name, shell(place, name, `trap '' TERM; setsid sleep 60 & echo r > "$NOTES/${name}"; ${untilGo}`));
  }
  for (const name of [...names, "other"]) await readNote(place, name);
  for (const name of names) daemon.cancel(name, 100);
  for (const name of names)
    expect(await daemon.end(name)).toMatchObject({ cause: "cancelled", signal: "SIGKILL", detail: null });
  for (const name of names) expect(await survivorsOf(`run_${name}_${place.notes}`)).toEqual([]);
  expect(await daemon.list()).toContainEqual(expect.objectContaining({ is: "started", attempt: "other" }));
  await writeFile(join(place.notes, "go"), "");
  expect(await daemon.end("other")).toMatchObject({ cause: "exit", exitCode: 0 });
});
