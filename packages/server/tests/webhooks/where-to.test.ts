import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { type House, openHouse } from "../api/house.ts";
import type { Json } from "../harness.ts";
import { untilRound } from "../rounds.ts";
import { getDelivery, makeChannel, sendTest, untilDelivery, untilDeliveryEnds } from "./arrange.ts";
import { createCa } from "./certificates.ts";
import { type Delay, startNameServer, type Zone } from "./name-server.ts";
import { startReceiver } from "./receiver.ts";

/** A house whose names are resolved by this zone, and which trusts this authority. */
async function openHouseWith(
  zone: Zone,
  { delayOf, ...webhooks }: { readonly ca?: string; readonly denyPrivate?: boolean; readonly delayOf?: Delay } = {},
) {
  const names = await startNameServer(zone, delayOf);
  const clock = new ManualClock();
  const house = await openHouse({
    clock,
    canDeliver: true,
    config: { webhooks: { denyPrivate: false, ca: null, ...webhooks, dnsServers: [names.address] } },
  });
  return {
    ...house,
    names,
    clock,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await house[Symbol.asyncDispose]();
      await names[Symbol.asyncDispose]();
    },
  };
}

/** Its first attempt has failed; why. */
async function firstFailure(house: House, sent: Json): Promise<string> {
  const now = await untilRound(house, "the first failure", async () => {
    const delivery = await getDelivery(house, sent);
    return delivery.state === "pending" && delivery.diagnostic !== null ? delivery : null;
  });
  return now.diagnostic as string;
}

test("HTTPS is spoken to a name whose certificate a private authority has signed", async () => {
  await using ca = await createCa();
  await using receiver = await startReceiver({ tls: ca.issue(["DNS:hooks.example.com"]) });
  await using house = await openHouseWith(() => ["127.0.0.1"], { ca: ca.ca });
  const channel = await makeChannel(house, `https://hooks.example.com:${receiver.port}/hook`);
  const ended = await untilDeliveryEnds(house, await sendTest(house, channel));
  expect(ended).toMatchObject({ state: "succeeded", endpoint_summary: `https://hooks.example.com:${receiver.port}` });
  expect(receiver.requests[0]!.headers.host).toBe(`hooks.example.com:${receiver.port}`);
});

test("HTTPS is spoken to a bare address, whose certificate must be for that address", async () => {
  await using ca = await createCa();
  await using receiver = await startReceiver({ tls: ca.issue(["IP:127.0.0.1"]) });
  await using house = await openHouseWith(() => [], { ca: ca.ca });
  const right = await sendTest(house, await makeChannel(house, receiver.url));
  expect(await untilDeliveryEnds(house, right)).toMatchObject({ state: "succeeded" });
  await using other = await startReceiver({ tls: ca.issue(["IP:127.0.0.2"]) });
  const wrong = await sendTest(house, await makeChannel(house, other.url));
  expect(await firstFailure(house, wrong)).toMatch(/certificate was rejected \(ERR_TLS_CERT_ALTNAME_INVALID\)/);
  expect(other.requests).toEqual([]);
});

test.each([
  ["of nobody we trust", ["DNS:hooks.example.com"], { isSelfSigned: true }],
  ["for another name", ["DNS:elsewhere.example.com"], {}],
  ["that has expired", ["DNS:hooks.example.com"], { days: -1 }],
] as const)("a certificate %s is refused, and nothing is sent", async (_, altNames, how) => {
  await using ca = await createCa();
  await using receiver = await startReceiver({ tls: ca.issue(altNames, how) });
  await using house = await openHouseWith(() => ["127.0.0.1"], { ca: ca.ca });
  const channel = await makeChannel(house, `https://hooks.example.com:${receiver.port}/`, {
    authorization: "Bearer x",
  });
  expect(await firstFailure(house, await sendTest(house, channel))).toMatch(
    /the receiver's certificate was rejected \(\w+\)$/,
  );
  expect(receiver.requests).toEqual([]);
});

test("without the authority in the configuration its certificates are refused", async () => {
  await using ca = await createCa();
  await using receiver = await startReceiver({ tls: ca.issue(["DNS:hooks.example.com"]) });
  await using house = await openHouseWith(() => ["127.0.0.1"]);
  const sent = await sendTest(house, await makeChannel(house, `https://hooks.example.com:${receiver.port}/`));
  expect(await firstFailure(house, sent)).toMatch(/certificate was rejected/);
});

/** Where a name may lead, and why that is refused. */
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
  "a name that leads to $addresses is not called",
  async ({ addresses, why, denyPrivate }) => {
    await using house = await openHouseWith(() => addresses, { denyPrivate: denyPrivate === true });
    const sent = await sendTest(house, await makeChannel(house, "https://hooks.example.com/"));
    const said = await firstFailure(house, sent);
    expect(said).toMatch(/^the host resolves to /);
    expect(said).toMatch(why);
  },
);

test("a name is resolved once an attempt and connected to what was judged: one that leads elsewhere a moment later changes nothing", async () => {
  await using ca = await createCa();
  await using receiver = await startReceiver({ tls: ca.issue(["DNS:rebinding.example.com"]) });
  const zone: Zone = (_name, nth) => [nth === 1 ? "127.0.0.1" : "169.254.169.254"];
  await using house = await openHouseWith(zone, { ca: ca.ca });
  const channel = await makeChannel(house, `https://rebinding.example.com:${receiver.port}/`);
  expect(await untilDeliveryEnds(house, await sendTest(house, channel))).toMatchObject({ state: "succeeded" });
  expect(house.names.asked).toEqual(["rebinding.example.com"]);
  // the connection of before is let go, and the name, asked for anew, is refused
  await house.clock.advance(10_000);
  expect(await firstFailure(house, await sendTest(house, channel))).toMatch(/cloud metadata/);
  expect(house.names.asked).toHaveLength(2);
  expect(receiver.requests).toHaveLength(1);
});

test("a name that is not known fails at once, and one that nobody answers for after five seconds", async () => {
  await using house = await openHouseWith((name) => (name.startsWith("unknown") ? [] : null));
  const unknown = await sendTest(house, await makeChannel(house, "https://unknown.example.com/"));
  expect(await firstFailure(house, unknown)).toMatch(/host name does not exist \(ENOTFOUND\)/);
  const silent = await sendTest(house, await makeChannel(house, "https://silent.example.com/"));
  await untilDelivery(house, silent, { state: "claimed" });
  await house.clock.advance(5_000);
  expect(await firstFailure(house, silent)).toMatch(/after 5 s while waiting for the host name/);
});

test("a name server of the configuration that is slow is given its time, also after it was quick", async () => {
  await using ca = await createCa();
  await using receiver = await startReceiver({ tls: ca.issue(["DNS:*.example.com"]) });
  const delayOf: Delay = (name) => (name.startsWith("slow") ? 3_000 : 0);
  await using house = await openHouseWith(() => ["127.0.0.1"], { ca: ca.ca, delayOf });
  for (const name of ["quick1", "quick2", "quick3", "quick4", "slow"]) {
    const channel = await makeChannel(house, `https://${name}.example.com:${receiver.port}/`);
    const ended = await untilDeliveryEnds(house, await sendTest(house, channel));
    expect(ended).toMatchObject({ state: "succeeded", attempt_count: 1 });
  }
});
