import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { Client } from "../src/index.ts";
import { type FakeDaemon, fakeDaemon, refusal, type Reply } from "./fake-daemon.ts";

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
  ["is refused", refusal("validation_failed", 400, "environment")],
  ["meets a gateway", { status: 502 }],
  ["is cut", cut],
  ["is not answered", never],
  ["is answered by a stranger", page],
] as const)("when a call %s", (_, reply) => {
  test.each([
    ["a creation", (client: Client) => client.tasks.create(secretTask)],
    ["a change", (client: Client) => client.tasks.update("tsk_1", secretTask)],
    ["an import", (client: Client) => client.import.create({ tasks: [{ key: "a", ...secretTask }] })],
    ["a preview", (client: Client) => client.schedules.preview({ draft: { kind: "cron", expression: marker } })],
    ["a read", (client: Client) => client.tasks.get("tsk_1")],
  ] as const)("%s prints nothing of what was sent", async (_name, call) => {
    await using daemon = await fakeDaemon(({ path }) => (path === "/manifest" ? null : reply));
    const client = secretive(daemon);
    const error: unknown = await call(client).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(everythingPrintedOf(error)).not.toContain(marker);
  });
});

test("a client prints neither its headers nor what was answered", async () => {
  await using daemon = await fakeDaemon(() => ({ json: { environment: { PASSWORD: marker } } }));
  const client = secretive(daemon);
  const call = client.tasks.environment("tsk_1");
  await call;
  expect(everythingPrintedOf(client)).not.toContain(marker);
  expect(everythingPrintedOf(call)).not.toContain(marker);
});

test("an error tells a log what it is", async () => {
  await using daemon = await fakeDaemon(() => refusal("validation_failed", 400, "environment.PASSWORD"));
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

function secretive(daemon: FakeDaemon): Client {
  return daemon.connect({ headers: { "x-secret": marker }, timeoutMs: 100, retries: 0 });
}

function everythingPrintedOf(value: unknown): string {
  const deep = { depth: Infinity, showHidden: true, getters: true, maxArrayLength: null, maxStringLength: null };
  const stack = value instanceof Error ? value.stack : "";
  return [inspect(value), inspect(value, deep), JSON.stringify(value), String(value), stack].join("\n");
}
