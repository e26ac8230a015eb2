import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { Client } from "../src/index.ts";
import { type FakeDaemon, fakeDaemon, errorReply, type Reply } from "./fake-daemon.ts";

const marker = "hunter2-marker";
const secretTask = {
  name: "Backup",
  command: { kind: "shell", script: `pass ${marker}` },
  environment: { PASSWORD: marker },
  standard_input: marker,
} as const;

const cut: Reply = (response) => void response.destroy();
const never: Reply = () => undefined;
const page: Reply = (response) => void response.end(`<html>${marker}</html>`);

describe.each([
  ["is rejected", errorReply("validation_failed", 400, "environment")],
  ["gets an error of a gateway", { status: 502 }],
  ["loses its connection", cut],
  ["has no answer", never],
  ["gets an HTML page", page],
] as const)("when a call %s", (_, reply) => {
  test.each([
    ["a creation", (client: Client) => client.tasks.create(secretTask)],
    ["a change", (client: Client) => client.tasks.update("tsk_1", secretTask)],
    ["an import", (client: Client) => client.import.create({ tasks: [{ key: "a", ...secretTask }] })],
    ["a preview", (client: Client) => client.schedules.preview({ draft: { kind: "cron", expression: marker } })],
    ["a read", (client: Client) => client.tasks.get("tsk_1")],
  ] as const)("%s prints nothing of the request", async (_name, call) => {
    await using daemon = await fakeDaemon(({ path }) => (path === "/manifest" ? null : reply));
    const client = connectWithSecretHeaders(daemon);
    const error: unknown = await call(client).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(printEverything(error)).not.toContain(marker);
  });
});

test("a client prints neither its headers nor an answer", async () => {
  await using daemon = await fakeDaemon(() => ({ json: { environment: { PASSWORD: marker } } }));
  const client = daemon.connect({ headers: { "x-secret": marker } });
  const call = client.tasks.environment("tsk_1");
  await call;
  expect(printEverything(client)).not.toContain(marker);
  expect(printEverything(call)).not.toContain(marker);
});

test("an error serializes with its name and message", async () => {
  await using daemon = await fakeDaemon(() => errorReply("validation_failed", 400, "environment.PASSWORD"));
  const error: unknown = await daemon
    .connect()
    .tasks.get("tsk_1")
    .catch((reason: unknown) => reason);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: "ValidationError",
    message: "refused with validation_failed",
    code: "validation_failed",
    status: 400,
    field: "environment.PASSWORD",
    requestId: "req_1",
  });
});

function connectWithSecretHeaders(daemon: FakeDaemon): Client {
  return daemon.connect({ headers: { "x-secret": marker }, timeoutMs: 500, retries: 0 });
}

function printEverything(value: unknown): string {
  const deep = { depth: Infinity, showHidden: true, getters: true, maxArrayLength: null, maxStringLength: null };
  const stack = value instanceof Error ? value.stack : "";
  return [inspect(value), inspect(value, deep), JSON.stringify(value), String(value), stack].join("\n");
}
