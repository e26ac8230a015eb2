import { ManualClock, tempDir, until } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Harness, type Json, startDaemon } from "../support/harness.ts";
import { cancel, makeTask, outputOf, runOnce, startRun, untilEnd, untilState, waitFor } from "../support/tasks.ts";

const asEvents = { accept: "text/event-stream" };

interface OutputEvent {
  readonly event: string;
  readonly data: Json;
}

function parseEvents(text: string): readonly OutputEvent[] {
  return text
    .split("\n\n")
    .filter((block) => block.includes("event: "))
    .map((block) => ({ event: /^event: (.*)$/m.exec(block)![1]!, data: JSON.parse(/^data: (.*)$/m.exec(block)![1]!) }));
}

/** Joins the bytes of one stream by their offsets, with a dot for each cut byte. */
function pieceTogether(events: readonly OutputEvent[], stream: string): string {
  let text = "";
  for (const { event, data } of events) {
    if (data.stream !== stream) continue;
    expect(event === "cut" ? data.from : data.offset).toBe(text.length);
    text += event === "cut" ? ".".repeat(data.bytes) : Buffer.from(data.base64, "base64").toString("latin1");
  }
  return text;
}

/** An answer that is read as it arrives. */
function openStream(
  daemon: Harness,
  path: string,
  headers: Record<string, string> = {},
): { readonly text: () => string; readonly ended: Promise<void> } {
  let text = "";
  const ended = new Promise<void>((resolve, reject) => {
    const outgoing = request({ socketPath: daemon.socketPath, path, headers }, (incoming) => {
      incoming
        .on("data", (chunk: Buffer) => (text += chunk.toString("utf8")))
        .on("error", reject)
        .once("end", resolve);
    });
    outgoing.on("error", reject).end();
  });
  return { text: () => text, ended };
}

describe("the output of a run", () => {
  test("is the bytes of one stream, from any offset", async () => {
    await using daemon = await startDaemon();
    const run = await runOnce(daemon, `printf 'caf\\303\\251 \\001\\377'; echo oops >&2`);
    const raw = await daemon.call("GET", `/v1/runs/${run.id}/output`);
    expect(raw.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(raw.headers["x-content-type-options"]).toBe("nosniff");
    expect(Buffer.from(raw.text, "utf8").subarray(0, 7)).toEqual(Buffer.from("café \u0001"));
    expect(await outputOf(daemon, run, "?stream=stderr")).toBe("oops\n");
    expect(await outputOf(daemon, run, "?stream=stderr&offset=2")).toBe("ps\n");
    expect(await outputOf(daemon, run, "?stream=stderr&offset=5")).toBe("");
    expect(await outputOf(daemon, run, "?stream=stderr&offset=99")).toBe("");
    expect(run.output).toEqual({ stdout_bytes: 8, stderr_bytes: 5, stdout_cut: 0, stderr_cut: 0 });
  });

  test("of both streams is sent as events, with the bytes unchanged and the run's state at the end", async () => {
    await using daemon = await startDaemon();
    const run = await runOnce(daemon, `printf '\\000\\377'; echo oops >&2; exit 3`);
    const { text, headers } = await daemon.call("GET", `/v1/runs/${run.id}/output`, undefined, asEvents);
    expect(headers["content-type"]).toBe("text/event-stream");
    const events = parseEvents(text);
    expect(pieceTogether(events, "stdout")).toBe("\u0000\u00ff");
    expect(pieceTogether(events, "stderr")).toBe("oops\n");
    expect(events.at(-1)).toEqual({ event: "end", data: { state: "failed" } });
  });

  test("of both streams is available as events only, and has no single offset", async () => {
    await using daemon = await startDaemon();
    const run = await runOnce(daemon, ":");
    const raw = await daemon.call("GET", `/v1/runs/${run.id}/output?stream=both`);
    expect(raw).toMatchObject({ status: 400, json: { error: { code: "validation_failed", field: "stream" } } });
    const offset = await daemon.call("GET", `/v1/runs/${run.id}/output?offset=1`, undefined, asEvents);
    expect(offset).toMatchObject({ status: 400, json: { error: { code: "validation_failed", field: "offset" } } });
  });

  test("starts at the last lines, at a time, or at the offsets of both streams", async () => {
    await using daemon = await startDaemon();
    const before = new Date(Date.now() - 3_600_000).toISOString();
    const run = await runOnce(daemon, "printf '1\\n2\\n3\\n4'; printf 'a\\nb\\n' >&2");
    expect(await outputOf(daemon, run, "?tail=2")).toBe("3\n4");
    expect(await outputOf(daemon, run, "?stream=stderr&tail=1")).toBe("b\n");
    expect(await outputOf(daemon, run, "?tail=0")).toBe("");
    expect(await outputOf(daemon, run, "?tail=10000")).toBe("1\n2\n3\n4");
    const eventsOf = async (query: string) => {
      const { text } = await daemon.call("GET", `/v1/runs/${run.id}/output${query}`, undefined, asEvents);
      return parseEvents(text).map(({ event, data }) => [event, data.stream, data.offset]);
    };
    const both = await eventsOf("");
    expect(await eventsOf(`?since=${before}`)).toEqual(both);
    expect(await eventsOf("?since=2990-01-01T00:00:00Z")).toEqual([["end", undefined, undefined]]);
    expect(await eventsOf("?stdout_offset=6&stderr_offset=4")).toEqual([
      ["output", "stdout", 6],
      ["end", undefined, undefined],
    ]);
    expect(await eventsOf(`?stream=stdout&tail=1&since=${before}`)).toEqual([
      ["output", "stdout", 6],
      ["end", undefined, undefined],
    ]);
  });

  test.each([
    ["?since=2026-01-01T00:00:00Z", {}, "since"],
    ["?stdout_offset=1", {}, "stdout_offset"],
    ["?stream=stderr&stderr_offset=1", asEvents, "stderr_offset"],
    ["?offset=1&tail=1", {}, "tail"],
    ["?stream=stdout&offset=1&since=2026-01-01T00:00:00Z", asEvents, "since"],
    ["?stderr_offset=1&tail=1", asEvents, "tail"],
    ["?tail=10001", {}, "tail"],
    ["?since=yesterday", asEvents, "since"],
  ])("is refused with the query %s, which names no one start", async (query, headers, field) => {
    await using daemon = await startDaemon();
    const run = await runOnce(daemon, ":");
    const answer = await daemon.call("GET", `/v1/runs/${run.id}/output${query}`, undefined, headers);
    expect(answer).toMatchObject({ status: 400, json: { error: { code: "validation_failed", field } } });
  });

  test("beyond its bound loses its middle, and reports which bytes", async () => {
    await using daemon = await startDaemon();
    const whole = Array.from({ length: 2_000 }, (_, line) => `${String(line).padStart(4, "0")}\n`).join("");
    const run = await runOnce(daemon, `i=0; while [ $i -lt 2000 ]; do printf '%04d\\n' $i; i=$((i+1)); done`, {
      output: { max_bytes: 2_048 },
    });
    const { stdout_bytes, stdout_cut } = run.output;
    expect(stdout_bytes).toBe(10_000);
    expect(stdout_cut).toBeGreaterThanOrEqual(stdout_bytes - 2_048);
    expect(stdout_cut).toBeLessThan(stdout_bytes - 2_048 + 2_048 / 32);
    const { text } = await daemon.call("GET", `/v1/runs/${run.id}/output?stream=stdout`, undefined, asEvents);
    const events = parseEvents(text);
    const cuts = events.filter(({ event }) => event === "cut");
    expect(cuts).toEqual([{ event: "cut", data: { stream: "stdout", from: 1_024, bytes: stdout_cut } }]);
    const kept = pieceTogether(events, "stdout");
    expect(kept.slice(0, 1_024)).toBe(whole.slice(0, 1_024));
    expect(kept.slice(1_024 + stdout_cut)).toBe(whole.slice(1_024 + stdout_cut));
    expect(await outputOf(daemon, run)).toBe(whole.slice(0, 1_024) + whole.slice(1_024 + stdout_cut));
    expect(await outputOf(daemon, run, "?offset=3000")).toBe(whole.slice(1_024 + stdout_cut));
    expect(await outputOf(daemon, run, "?offset=9990")).toBe(whole.slice(9_990));
  });

  test("of a running task is the output so far, then the rest as it is written, to the end", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon();
    const [once, twice] = [join(place.path, "once"), join(place.path, "twice")];
    const run = await startRun(
      daemon,
      await makeTask(daemon, `echo one; ${waitFor(once)}; echo two; ${waitFor(twice)}; echo three`),
    );
    await until("the first line", async () => (await outputOf(daemon, run)) === "one\n");
    const followed = openStream(daemon, `/v1/runs/${run.id}/output?follow=true`);
    const fromOffset = openStream(daemon, `/v1/runs/${run.id}/output?follow=true&offset=4`);
    const events = openStream(daemon, `/v1/runs/${run.id}/output?follow=true`, asEvents);
    await until(
      "what was there",
      () => followed.text() === "one\n" && pieceTogether(parseEvents(events.text()), "stdout") === "one\n",
    );
    await writeFile(once, "");
    await until("what came", () => followed.text() === "one\ntwo\n" && fromOffset.text() === "two\n");
    await writeFile(twice, "");
    await Promise.all([followed.ended, fromOffset.ended, events.ended]);
    expect(followed.text()).toBe("one\ntwo\nthree\n");
    expect(fromOffset.text()).toBe("two\nthree\n");
    expect(pieceTogether(parseEvents(events.text()), "stdout")).toBe("one\ntwo\nthree\n");
    expect(parseEvents(events.text()).at(-1)).toEqual({ event: "end", data: { state: "succeeded" } });
  });

  test("can be followed before the run has started", async () => {
    const clock = new ManualClock();
    await using daemon = await startDaemon({ clock });
    const run = await startRun(daemon, await makeTask(daemon, "echo at last"), {
      scheduled_for: new Date(clock.now() + 60_000).toISOString(),
    });
    expect(await outputOf(daemon, run)).toBe("");
    const followed = openStream(daemon, `/v1/runs/${run.id}/output?follow=true`, asEvents);
    await clock.advance(60_000);
    await followed.ended;
    expect(pieceTogether(parseEvents(followed.text()), "stdout")).toBe("at last\n");
    expect(parseEvents(followed.text()).at(-1)?.data.state).toBe("succeeded");
  });

  test("of a run that never starts is empty, and a follower's answer ends with the run", async () => {
    await using daemon = await startDaemon();
    const run = await startRun(daemon, await makeTask(daemon, ":"), { scheduled_for: "2990-01-01T00:00:00Z" });
    const followed = openStream(daemon, `/v1/runs/${run.id}/output?follow=true`, asEvents);
    await cancel(daemon, run);
    await followed.ended;
    expect(parseEvents(followed.text())).toEqual([{ event: "end", data: { state: "cancelled" } }]);
  });

  test("is complete, however much is written at a time, and however slowly a client reads", async () => {
    await using daemon = await startDaemon();
    const run = await startRun(
      daemon,
      await makeTask(daemon, "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end"),
    );
    await untilState(daemon, run, "succeeded");
    const ended = await untilEnd(daemon, run);
    expect(ended.output).toMatchObject({ stdout_bytes: 3_000_005, stdout_cut: 0 });
    const text = await outputOf(daemon, run);
    expect({ length: text.length, end: text.slice(-5) }).toEqual({ length: 3_000_005, end: "\nend\n" });
  });

  test("of a run that does not exist is not found", async () => {
    await using daemon = await startDaemon();
    expect((await daemon.call("GET", "/v1/runs/run_00000000000000000000/output")).json.error.code).toBe("not_found");
  });
});
