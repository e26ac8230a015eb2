import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { type TestApplication, openTestApplication } from "../support/application.ts";
import type { Json } from "../support/harness.ts";
import { untilRound } from "../support/rounds.ts";
import { getDelivery, makeChannel, sendTest, untilDelivery, untilDeliveryEnds } from "../support/channels.ts";
import { createCa } from "../support/certificates.ts";
import { type Delay, startNameServer, type Zone } from "../support/name-server.ts";
import { startReceiver } from "../support/receiver.ts";

/** An app whose names are resolved by this zone, and which trusts this authority. */
async function openTestApplicationWith(
  zone: Zone,
  { delayOf, ...webhooks }: { readonly ca?: string; readonly denyPrivate?: boolean; readonly delayOf?: Delay } = {},
) {
  const names = await startNameServer(zone, delayOf);
  const clock = new ManualClock();
  const app = await openTestApplication({
    clock,
    canDeliver: true,
    config: { webhooks: { denyPrivate: false, ca: null, ...webhooks, dnsServers: [names.address] } },
  });
  return {
    ...app,
    names,
    clock,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await app[Symbol.asyncDispose]();
      await names[Symbol.asyncDispose]();
    },
  };
}

/** Waits until the first attempt has failed; returns its diagnostic. */
async function firstFailure(app: TestApplication, sent: Json): Promise<string> {
  const now = await untilRound(app, "the first failure", async () => {
    const delivery = await getDelivery(app, sent);
    if (delivery.state === "succeeded") throw new Error("the webhook was delivered");
    return delivery.state === "pending" && delivery.diagnostic !== null ? delivery : null;
  });
  return now.diagnostic as string;
}

test("HTTPS works with a name whose certificate a private authority has signed", async () => {
  await using ca = await createCa();
  await using receiver = await startReceiver({ tls: ca.issue(["DNS:hooks.example.com"]) });
  await using app = await openTestApplicationWith(() => ["127.0.0.1"], { ca: ca.ca });
  const channel = await makeChannel(app, `https://hooks.example.com:${receiver.port}/hook`);
  const ended = await untilDeliveryEnds(app, await sendTest(app, channel));
  expect(ended).toMatchObject({ state: "succeeded", endpoint_summary: `https://hooks.example.com:${receiver.port}` });
  expect(receiver.requests[0]!.headers.host).toBe(`hooks.example.com:${receiver.port}`);
});

test("HTTPS works with a bare address, whose certificate must be for that address", async () => {
  await using ca = await createCa();
  await using receiver = await startReceiver({ tls: ca.issue(["IP:127.0.0.1"]) });
  await using app = await openTestApplicationWith(() => [], { ca: ca.ca });
  const right = await sendTest(app, await makeChannel(app, receiver.url));
  expect(await untilDeliveryEnds(app, right)).toMatchObject({ state: "succeeded" });
  await using other = await startReceiver({ tls: ca.issue(["IP:127.0.0.2"]) });
  const wrong = await sendTest(app, await makeChannel(app, other.url));
  expect(await firstFailure(app, wrong)).toMatch(/certificate was rejected \(ERR_TLS_CERT_ALTNAME_INVALID\)/);
  expect(other.requests).toEqual([]);
});

test.each([
  ["that no trusted authority has signed", ["DNS:hooks.example.com"], { isSelfSigned: true }],
  ["for another name", ["DNS:elsewhere.example.com"], {}],
  ["that has expired", ["DNS:hooks.example.com"], { days: -1 }],
] as const)("a certificate %s is refused, and nothing is sent", async (_, altNames, how) => {
  await using ca = await createCa();
  await using receiver = await startReceiver({ tls: ca.issue(altNames, how) });
  await using app = await openTestApplicationWith(() => ["127.0.0.1"], { ca: ca.ca });
  const channel = await makeChannel(app, `https://hooks.example.com:${receiver.port}/`, {
    authorization: "Bearer x",
  });
  expect(await firstFailure(app, await sendTest(app, channel))).toMatch(
    /the receiver's certificate was rejected \(\w+\)$/,
  );
  expect(receiver.requests).toEqual([]);
});

test("without the authority in the configuration its certificates are refused", async () => {
  await using ca = await createCa();
  await using receiver = await startReceiver({ tls: ca.issue(["DNS:hooks.example.com"]) });
  await using app = await openTestApplicationWith(() => ["127.0.0.1"]);
  const sent = await sendTest(app, await makeChannel(app, `https://hooks.example.com:${receiver.port}/`));
  expect(await firstFailure(app, sent)).toMatch(/certificate was rejected/);
});

test("a certificate is verified even if the environment tells Node not to", async () => {
  await using ca = await createCa();
  await using receiver = await startReceiver({ tls: ca.issue(["DNS:hooks.example.com"], { isSelfSigned: true }) });
  await using app = await openTestApplicationWith(() => ["127.0.0.1"]);
  const channel = await makeChannel(app, `https://hooks.example.com:${receiver.port}/`, {
    authorization: "Bearer x",
  });
  // in parts, because a check forbids the name in sources
  const name = ["NODE_TLS", "REJECT_UNAUTHORIZED"].join("_");
  const former = process.env[name];
  // Node reads it at each connection
  process.env[name] = "0";
  try {
    expect(await firstFailure(app, await sendTest(app, channel))).toMatch(/certificate was rejected/);
  } finally {
    if (former === undefined) delete process.env[name];
    else process.env[name] = former;
  }
  expect(receiver.requests).toEqual([]);
});

/** The addresses to which a name resolves, and why they are refused. */
const refused: readonly (readonly [addresses: readonly string[], why: RegExp, denyPrivate?: true])[] = [
  [["169.254.169.254"], /cloud metadata/],
  [["169.254.10.20"], /link-local/],
  [["fe80::1"], /link-local/],
  [["fd00:ec2::254"], /cloud metadata/],
  [["::ffff:a9fe:a9fe"], /cloud metadata/],
  [["64:ff9b::a9fe:a9fe"], /reserved/],
  [["224.0.0.251"], /multicast/],
  [["ff02::fb"], /multicast/],
  [["0.0.0.0"], /an unspecified address/],
  [["::"], /an unspecified address/],
  [["255.255.255.255"], /reserved/],
  [["127.0.0.1", "169.254.169.254"], /cloud metadata/],
  [["10.1.2.3"], /deny_private/, true],
  [["fd12::1"], /deny_private/, true],
  [["127.0.0.1", "192.168.0.9"], /deny_private/, true],
];

test.each(refused.map(([addresses, why, denyPrivate]) => ({ addresses, why, denyPrivate })))(
  "a name that resolves to $addresses is not called",
  async ({ addresses, why, denyPrivate }) => {
    await using app = await openTestApplicationWith(() => addresses, { denyPrivate: denyPrivate === true });
    const sent = await sendTest(app, await makeChannel(app, "https://hooks.example.com/"));
    const said = await firstFailure(app, sent);
    expect(said).toMatch(/^the host resolves to /);
    expect(said).toMatch(why);
  },
);

test("a name is resolved once per attempt, and later changes of the name do not change the checked address", async () => {
  await using ca = await createCa();
  await using receiver = await startReceiver({ tls: ca.issue(["DNS:rebinding.example.com"]) });
  const zone: Zone = (_name, nth) => [nth === 1 ? "127.0.0.1" : "169.254.169.254"];
  await using app = await openTestApplicationWith(zone, { ca: ca.ca });
  const channel = await makeChannel(app, `https://rebinding.example.com:${receiver.port}/`);
  expect(await untilDeliveryEnds(app, await sendTest(app, channel))).toMatchObject({ state: "succeeded" });
  expect(app.names.asked).toEqual(["rebinding.example.com"]);
  // the earlier connection is closed, and the name, resolved again, is refused
  await app.clock.advance(10_000);
  expect(await firstFailure(app, await sendTest(app, channel))).toMatch(/cloud metadata/);
  expect(app.names.asked).toHaveLength(2);
  expect(receiver.requests).toHaveLength(1);
});

/** The resolver itself gives up after five seconds of real time: a machine that paused for as long decides nothing. */
const resolverMs = 4_500;

test("an unknown name fails immediately, and a name without an answer fails after five seconds", async () => {
  await using app = await openTestApplicationWith((name) => (name.startsWith("unknown") ? [] : null));
  const unknown = await sendTest(app, await makeChannel(app, "https://unknown.example.com/"));
  expect(await firstFailure(app, unknown)).toMatch(/host name does not exist \(ENOTFOUND\)/);
  for (let isDecided = false; !isDecided;) {
    const channel = await makeChannel(app, "https://silent.example.com/");
    const begunAt = performance.now();
    const silent = await sendTest(app, channel);
    await untilDelivery(app, silent, { attempt_count: 1 });
    await app.clock.advance(5_000);
    isDecided = performance.now() - begunAt < resolverMs;
    const said = await firstFailure(app, silent);
    if (isDecided) expect(said).toMatch(/after 5 s while waiting for the host name/);
  }
});

test("a slow name server of the configuration gets its time, even after it was fast", async () => {
  await using ca = await createCa();
  await using receiver = await startReceiver({ tls: ca.issue(["DNS:*.example.com"]) });
  const delayOf: Delay = (name) => (name.startsWith("slow") ? 2_000 : 0);
  await using app = await openTestApplicationWith(() => ["127.0.0.1"], { ca: ca.ca, delayOf });
  const attempt = async (name: string): Promise<Json> => {
    const channel = await makeChannel(app, `https://${name}.example.com:${receiver.port}/`);
    const sent = await sendTest(app, channel);
    return untilRound(app, "the end of the first attempt", async () => {
      const now = await getDelivery(app, sent);
      return now.attempt_count === 1 && now.state !== "claimed" ? now : null;
    });
  };
  for (const name of ["quick1", "quick2", "quick3", "quick4"])
    expect(await attempt(name)).toMatchObject({ state: "succeeded", attempt_count: 1 });
  for (let nth = 0, isDecided = false; !isDecided; nth++) {
    const begunAt = performance.now();
    const slow = await attempt(`slow${nth}`);
    isDecided = slow.state === "succeeded" || performance.now() - begunAt < resolverMs;
    if (isDecided) expect(slow).toMatchObject({ state: "succeeded", attempt_count: 1 });
  }
});
