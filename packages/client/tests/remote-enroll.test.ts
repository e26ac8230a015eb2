import { inspect } from "node:util";
import { until } from "@belfry/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCa, type PrivateCa } from "../../server/tests/support/certificates.ts";
import { ConflictError, isUncertainOutcomeError, UnauthorizedError } from "../src/index.ts";
import { connectRemote, enrollRemote, type EnrollOptions } from "../src/remote.ts";
import {
  accessToken,
  type Answer,
  daemonId,
  daemonLeaf,
  enrollment,
  fakeRemote,
  invitationTo,
  pairingId,
  phrase,
  startImpostor,
} from "./fake-remote-daemon.ts";

let ca: PrivateCa & AsyncDisposable;
beforeAll(async () => {
  ca = await createCa();
});
afterAll(() => ca[Symbol.asyncDispose]());

const startDaemon = (answer?: Answer) => fakeRemote(daemonLeaf(ca), answer);
const enrollAt = (address: string, options?: Partial<EnrollOptions>) =>
  enrollRemote({ invitation: invitationTo(ca.ca, address), phrase, ...options });

test("an enrolment checks the identity, sends the phrase once, and returns a profile that works after JSON", async () => {
  await using daemon = await startDaemon();
  const profile = await enrollAt(daemon.address, { displayName: "Laptop", kind: "cli", capability: "operate" });
  expect(profile).toEqual({
    addresses: [daemon.address],
    daemonId,
    trust: { kind: "root", certificate: expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/) },
    credentialId: enrollment.credential_id,
    actorId: enrollment.actor_id,
    capability: "operate",
    accessToken,
  });
  expect(daemon.seen.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
    ["GET", "/manifest", undefined],
    ["POST", "/enroll", undefined],
  ]);
  expect(JSON.parse(daemon.seen[1]!.body)).toEqual({
    pairing_id: pairingId,
    phrase,
    daemon_id: daemonId,
    display_name: "Laptop",
    kind: "cli",
    capability: "operate",
  });
  expect(daemon.seen[1]?.headers["idempotency-key"]).toBeUndefined();
  await using client = connectRemote(JSON.parse(JSON.stringify(profile)));
  expect(await client.tasks.get("tsk_1")).toMatchObject({ id: "tsk_1" });
});

test("the address that answered comes first in the profile", async () => {
  await using otherCa = await createCa();
  await using impostor = await startImpostor(daemonLeaf(otherCa));
  await using daemon = await startDaemon();
  const untrusted: string[] = [];
  const profile = await enrollRemote({
    invitation: invitationTo(ca.ca, impostor.address, daemon.address),
    phrase,
    onUntrustedAddress: ({ address }) => untrusted.push(address),
  });
  expect(profile.addresses).toEqual([daemon.address, impostor.address]);
  expect(untrusted).toEqual([impostor.address]);
  expect(impostor.received().length).toBe(0);
});

describe("an enrolment that the daemon rejects", () => {
  test.each([
    ["unauthorized", 401, UnauthorizedError],
    ["conflict", 409, ConflictError],
  ] as const)("with %s is not repeated, and its error contains no secret", async (code, status, errorClass) => {
    await using daemon = await startDaemon(({ path }) =>
      path === "/enroll" ? { status, json: { error: { code, field: null, message: "refused" } } } : null,
    );
    const error: unknown = await enrollAt(daemon.address).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(errorClass);
    expectNoSecret(error);
    expect(daemon.seen.map(({ path }) => path)).toEqual(["/manifest", "/enroll"]);
  });
});

describe("an enrolment whose answer is lost", () => {
  const losses: Readonly<Record<string, Answer>> = {
    "because the connection breaks": () => (response) => void response.destroy(),
    "because the answer is cut": () => (response) =>
      void response.writeHead(201, { "content-length": 500 }).write('{"daemon_id"', () => response.destroy()),
    "because the answer is not JSON": () => (response) => void response.writeHead(201).end("<html>"),
  };
  test.each(Object.entries(losses))("%s is uncertain, and is sent once", async (_, lose) => {
    await using daemon = await startDaemon((request) => (request.path === "/enroll" ? lose(request) : null));
    const error: unknown = await enrollAt(daemon.address).catch((reason: unknown) => reason);
    expect(isUncertainOutcomeError(error)).toBe(true);
    expect(error).toMatchObject({
      operation: "access.enroll",
      idempotencyKey: null,
      message: expect.stringContaining("revoke it, and pair again"),
    });
    expectNoSecret(error);
    expect(daemon.seen.filter(({ path }) => path === "/enroll").length).toBe(1);
    expect(isUncertainOutcomeError(error) && (await error.settle())).toBe("unknown");
  });

  test("because it was aborted is uncertain, and can be repeated on purpose", async () => {
    const held: (() => void)[] = [];
    await using daemon = await startDaemon(({ path }) =>
      path === "/enroll" && held.length === 0 ? () => void held.push(() => undefined) : null,
    );
    const controller = new AbortController();
    const enrolling = enrollAt(daemon.address, { signal: controller.signal }).catch((reason: unknown) => reason);
    await until("the phrase was sent", () => held.length === 1);
    controller.abort();
    const error = await enrolling;
    expect(error).toMatchObject({ name: "UncertainOutcomeError", cause: { name: "AbortError" } });
    expect(isUncertainOutcomeError(error) && (await error.retry())).toMatchObject({ accessToken });
  });
});

test.each(["", "bfi1.x", "https://build.example.org:7443", phrase])(
  "%j is not an invitation, and nothing is sent",
  async (invitation) => {
    await expect(enrollRemote({ invitation, phrase })).rejects.toThrow(
      new TypeError("The invitation is not complete. Copy the whole line that `belfry pair` printed."),
    );
  },
);

test("a printed profile hides its token, and JSON keeps it", async () => {
  await using daemon = await startDaemon();
  const profile = await enrollAt(daemon.address);
  expect(inspect(profile)).toContain("accessToken: '(hidden)'");
  expect(inspect([{ profile }], { depth: Infinity, showHidden: true })).not.toContain(accessToken);
  expect(JSON.stringify(profile)).toContain(accessToken);
});

function expectNoSecret(error: unknown): void {
  const text = [inspect(error, { depth: Infinity, showHidden: true }), JSON.stringify(error), String(error)].join();
  expect(text).not.toContain(phrase);
  expect(text).not.toContain(accessToken);
}
