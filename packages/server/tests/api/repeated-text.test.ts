import { seed } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/kernel/time/clock.ts";
import { createLog, formatJsonLine } from "../../src/kernel/log/log.ts";
import { type Answer, type Harness, startDaemon } from "../support/harness.ts";
import { auditRowsOf, makeTask, missing } from "../support/api.ts";

/*
 * The input that a refusal may repeat: no path, at most a hundred characters of any text, and no part of a
 * trigger's key or an access token, in any encoding and any position.
 */
const publicPart = "bfk_9sLq2XvT";
const secretPart = "kV7nRw4ZpYb1cJ0hFtMd8uG3eQx6aSoi";
const key = `${publicPart}_${secretPart}`;
const token = `bat_5hMb8WyQ_${secretPart}9zDf2KvLw7N`;

const lines: string[] = [];
const log = createLog(systemClock, "debug", [(entry) => void lines.push(formatJsonLine(entry))]);
let daemon: Harness;
let taskId: string;
beforeAll(async () => {
  daemon = await startDaemon({ log });
  taskId = (await makeTask(daemon)).id;
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

/** Each call has a text from its caller, and is refused whatever the text is. */
const places: Readonly<Record<string, (text: string) => Promise<Answer>>> = {
  "an unknown path": (text) => daemon.call("GET", `/v1/fire/${inPath(text)}`),
  "a path without a version": (text) => daemon.call("GET", `/${inPath(text)}`),
  "a path after an id": (text) => daemon.call("POST", `/v1/triggers/fire/${inPath(text)}`),
  "a method that a path does not take": (text) => daemon.call("PUT", `/v1/triggers/${inPath(text)}`),
  "the id of a path": (text) => daemon.call("GET", `/v1/triggers/${inPath(text)}`),
  "the id of an audited call": (text) => daemon.call("POST", `/v1/tasks/${inPath(text)}/enable`),
  "the id of a deletion": (text) => daemon.call("DELETE", `/v1/chains/${inPath(text)}`),
  "the name of a query parameter": (text) => daemon.call("GET", `/v1/tasks?x${inQuery(text)}=1`),
  "the name of a query parameter for an operation without parameters": (text) =>
    daemon.call("GET", `/v1/health?x${inQuery(text)}`),
  "the value of a filter": (text) => daemon.call("GET", `/v1/audit?result=${inQuery(text)}`),
  "the value of a limit": (text) => daemon.call("GET", `/v1/runs?limit=${inQuery(text)}`),
  "a cursor": (text) => daemon.call("GET", `/v1/runs?cursor=${inQuery(text)}`),
  "a label": (text) => daemon.call("GET", `/v1/tasks?label=&x=${inQuery(text)}`),
  "the kinds of events": (text) => daemon.call("GET", `/v1/events?kinds=${inQuery(`x${text}`)}`),
  "an id that a query asks for": (text) => daemon.call("GET", `/v1/chains/graph?task_id=${inQuery(`x${text}`)}`),
  "the name of a member": (text) => daemon.call("POST", "/v1/tasks", { name: "x", [`x${text}`]: 1 }),
  "the name of a nested member": (text) => daemon.call("POST", "/v1/tasks", { name: "x", retry: { [`x${text}`]: 1 } }),
  "the name of a label": (text) => daemon.call("POST", "/v1/tasks", { name: "x", labels: { [`-${text}`]: "" } }),
  "the value of a label": (text) => daemon.call("POST", "/v1/tasks", { name: "x", labels: { a: `:${text}` } }),
  "the name of a variable": (text) =>
    daemon.call("POST", "/v1/tasks", { name: "x", environment: { [`-${text}`]: "" } }),
  "the value of a variable": (text) => daemon.call("POST", "/v1/tasks", { name: "x", environment: { A: `${text}\0` } }),
  "a duration": (text) => daemon.call("POST", "/v1/tasks", { name: "x", timeout: text }),
  "a kind": (text) => daemon.call("POST", "/v1/schedules", { task_id: taskId, kind: text }),
  "an expression": (text) =>
    daemon.call("POST", "/v1/schedules", { task_id: taskId, kind: "cron", expression: `x${text}` }),
  "a time zone": (text) => daemon.call("POST", "/v1/groups", { name: "x", time_zone: `x${text}` }),
  "a time": (text) => daemon.call("POST", "/v1/schedules", { task_id: taskId, kind: "once", at: text }),
  "a name that is used already": async (text) => {
    const name = `g${text}`;
    await daemon.call("POST", "/v1/groups", { name });
    return daemon.call("POST", "/v1/groups", { name });
  },
  "an endpoint": (text) => daemon.call("POST", "/v1/notification-channels", { name: "x", endpoint: `ftp://${text}` }),
  "an id in a body": (text) => daemon.call("POST", "/v1/triggers", { name: "x", target_task_id: `x${text}` }),
  "a key that a file does not define": (text) =>
    daemon.call("POST", "/v1/import", { tasks: [{ key: "a", name: "a", group_key: `x${text}` }] }),
  "the key of a fire": (text) => daemon.call("POST", "/v1/triggers/fire", { key: `x${text}` }),
  "the header If-Match": (text) =>
    daemon.call("PATCH", `/v1/tasks/${taskId}`, { description: "x" }, { "if-match": inHeader(text) }),
  "the header Idempotency-Key": (text) =>
    daemon.call(
      "POST",
      "/v1/triggers",
      { name: "x", target_task_id: missing.task },
      { "idempotency-key": ` ${inHeader(text)}` },
    ),
  "the header Expect": (text) => daemon.call("GET", "/v1/health", undefined, { expect: inHeader(text) }),
  "a body that is not JSON": (text) =>
    daemon.call("POST", "/v1/tasks", `{"name":"${text}`, { "content-type": "application/json" }),
  "the header Content-Type": (text) =>
    daemon.call("POST", "/v1/tasks", { name: "x" }, { "content-type": `text/${inHeader(text)}` }),
  "the header Content-Encoding": (text) =>
    daemon.call("POST", "/v1/tasks", { name: "x" }, { "content-encoding": `x${inHeader(text)}` }),
  "a body of another type": (text) => daemon.call("POST", "/v1/tasks", text, { "content-type": "text/plain" }),
};

/** Encodes a text for a path. Characters that are already encoded stay unchanged. */
const inPath = (text: string): string => text.replaceAll(/[^\w.~%-]/g, encodeURIComponent);
const inQuery = inPath;
const inHeader = (text: string): string => text.replaceAll(/[^ -~]/g, "?");

/** All output of one refused call. */
async function traceOf(call: Promise<Answer>): Promise<{ readonly answer: Answer; readonly texts: readonly string[] }> {
  const from = lines.length;
  const answer = await call;
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
  expect(answer.status, answer.text).toBeLessThan(500);
  const { message, field } = answer.json.error as { readonly message: string; readonly field: string | null };
  const audited = auditRowsOf(daemon, answer).flatMap((row) => [row.resource_id ?? "", row.changed_fields_json]);
  return { answer, texts: [message, field ?? "", JSON.stringify(answer.headers), ...audited, ...lines.slice(from)] };
}

/** The text, and each result of decoding its percent signs again. */
function readingsOf(text: string): readonly string[] {
  const next = text.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return next === text ? [text] : [text, ...readingsOf(next)];
}

/** Any eight consecutive characters: some random id may contain fewer by chance. */
const secretPieces = new RegExp(
  Array.from({ length: secretPart.length - 7 }, (_, at) => secretPart.slice(at, at + 8)).join("|"),
  "i",
);

function expectNoKey(texts: readonly string[]): void {
  const repeated = texts.flatMap(readingsOf).filter((text) => secretPieces.test(text));
  expect(repeated).toEqual([]);
}

/** Each character may be written as its code, which may be written as codes again, and so on. */
function encodedOnce(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return text.chain((plain) =>
    fc.array(fc.nat({ max: 2 }), { minLength: plain.length, maxLength: plain.length }).map((choices) =>
      [...plain]
        .map((character, index) => {
          const code = character.charCodeAt(0).toString(16).padStart(2, "0");
          return choices[index] === 0 ? `%${index % 2 === 0 ? code : code.toUpperCase()}` : character;
        })
        .join(""),
    ),
  );
}

function encoded(plain: string): fc.Arbitrary<string> {
  const [once, twice, often] = [1, 2, 5].map((times) =>
    Array.from({ length: times }).reduce<fc.Arbitrary<string>>(encodedOnce, fc.constant(plain)),
  );
  const whole = (times: number): string =>
    Array.from({ length: times }).reduce<string>(
      (text) => text.replaceAll(/./g, (character) => `%${character.charCodeAt(0).toString(16)}`),
      plain,
    );
  return fc.oneof(
    fc.constant(plain),
    fc.constantFrom(plain.replaceAll("_", "%5F"), plain.replaceAll("_", "%255f"), whole(1), whole(2)),
    once!,
    twice!,
    often!,
  );
}

const around = fc.constantFrom("", "", "a", "%", "%4", "%25", "%E0%A4%A", "%ff", "-", "x".repeat(60), "x".repeat(95));

describe(`a key or token in any position and encoding is not repeated (BELFRY_SEED=${seed})`, () => {
  test.each(Object.entries(places))("%s", async (_, place) => {
    const texts = fc.tuple(around, fc.constantFrom(key, token).chain(encoded), around).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => expectNoKey((await traceOf(place(text))).texts)),
      { numRuns: 40 },
    );
  });
});

describe("at most a hundred characters of a long text are repeated", () => {
  const long = (length: number): string =>
    Array.from({ length: length / 8 }, (_, index) => `${String(index).padStart(6, "w")}. `).join("");
  const bodies = Object.entries(places).filter(
    ([name]) => !/path|id of|query|value of a|cursor|label$|kinds|header/.test(name),
  );
  const cases = [
    ...Object.entries(places).map(([name, place]) => ({ name, place, length: 8 * 150 })),
    ...bodies.map(([name, place]) => ({ name, place, length: 1_000_000 })),
  ];
  test.each(cases)("$name of $length", async ({ place, length }) => {
    const text = long(length);
    const { texts } = await traceOf(place(text));
    const pieces = Array.from({ length: 1_000 }, (_, at) => text.slice(at, at + 101));
    for (const repeated of texts) {
      expect(repeated.length).toBeLessThan(1_500);
      expect(pieces.filter((piece) => repeated.includes(piece))).toEqual([]);
    }
  });
});

test("a path is not repeated", async () => {
  for (const [method, path] of [
    ["GET", "/v1/planted-path"],
    ["GET", "/planted-path/of/another"],
    ["PUT", "/v1/tasks/planted-path"],
    ["GET", "/v1/tasks/planted-path"],
    ["DELETE", "/v1/groups/planted-path"],
    ["GET", "/v1/runs/planted-path/output"],
  ] as const)
    expect((await daemon.call(method, path)).text, path).not.toContain("planted");
});
