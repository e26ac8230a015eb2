import { catalogue, type Capability, type ErrorCode, isCapabilityEnough, type Operation } from "@belfry/contract";
import { tempDir, until } from "@belfry/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, sampleOf, seen } from "../support/call.ts";
import type { Answer, Json } from "../support/harness.ts";
import { type DaemonProcess, useDaemonProcess } from "../support/processes/daemon-process.ts";
import { callRemote, configureRemote, enrol, raisedLimits, untilListening } from "../support/remote-process.ts";
import type { Sample } from "../support/sample-makers.ts";

const daemons = useDaemonProcess();
const all = catalogue.map(seen);
const isRemote = ({ transports }: Operation): boolean => transports.includes("remote");

let dir: Awaited<ReturnType<typeof tempDir>>;
let daemon: DaemonProcess;
let port: number;

beforeAll(async () => {
  dir = await tempDir("br-");
  port = await configureRemote(dir.path, raisedLimits);
  daemon = await daemons.start({ dataDir: dir.path });
  await untilListening(daemon);
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await dir[Symbol.asyncDispose]();
});

/** The body without the members that only local callers may send. */
function remoteBody({ localMembers = [], commandMembers = [] }: Operation, { body }: Sample): string | undefined {
  if (body === undefined || typeof body === "string") return body;
  const hidden = [...localMembers, ...commandMembers];
  return JSON.stringify(Object.fromEntries(Object.entries(body as object).filter(([name]) => !hidden.includes(name))));
}

function callAs(operation: Operation, sample: Sample, token: string | undefined): Promise<Answer> {
  return callRemote(daemon, port, {
    method: operation.method.toUpperCase(),
    path: sample.path.replace(/^\/v1/, "/api/v1"),
    body: remoteBody(operation, sample),
    headers: { ...sample.headers },
    ...(token === undefined ? {} : { token }),
  });
}

/** A real request; but the samples of `remote.*` would move this daemon's remote API to another port. */
function localSampleOf(operation: Operation): Promise<Sample> {
  const isOfRemote = operation.resource === "remote";
  return isOfRemote ? Promise.resolve({ path: `/v1${operation.path}` }) : sampleOf(daemon, operation);
}

/** Everything that an answer tells, besides its request id and its time. */
function tells({ status, headers, text }: Answer): object {
  const { "x-request-id": _, date: __, ...others } = headers;
  return { status, headers: others, text };
}

interface Caller {
  readonly who: string;
  readonly token: () => Promise<string | undefined>;
  /** The code of every refusal of an operation that is not public; null if the capability decides. */
  readonly code: ErrorCode | null;
  readonly capability?: Capability;
}

const enrolled = async (capability: Capability): Promise<Json> => enrol(daemon, port, capability);

const callers: readonly Caller[] = [
  { who: "without a token", token: async () => undefined, code: "unauthorized" },
  ...(["observe", "operate", "manage", "enroll"] as const).map((capability) => ({
    who: `with ${capability}`,
    token: async () => (await enrolled(capability)).access_token as string,
    code: null,
    capability,
  })),
  {
    who: "whose actor is disabled",
    token: async () => {
      const { actor_id, access_token } = await enrolled("enroll");
      await daemon.call("PATCH", `/v1/access/actors/${actor_id}`, { state: "disabled" });
      return access_token;
    },
    code: "forbidden",
  },
  {
    who: "whose credential is revoked",
    token: async () => {
      const { credential_id, access_token } = await enrolled("enroll");
      await daemon.call("POST", `/v1/access/credentials/${credential_id}/revoke`);
      return access_token;
    },
    code: "credential_revoked",
  },
  {
    who: "whose actor has expired",
    token: async () => {
      const { actor_id, access_token } = await enrolled("enroll");
      const path = `/v1/access/actors/${actor_id}`;
      // an instant that has passed before the daemon reads it is refused
      await until("an accepted expiry", async () => {
        const expires_at = new Date(Date.now() + 3_000).toISOString();
        return (await daemon.call("PATCH", path, { expires_at })).status === 200;
      });
      await until("the expiry", async () => ((await daemon.call("GET", path)).json.state === "expired" ? true : null));
      return access_token;
    },
    code: "unauthorized",
  },
];

describe.each(callers)("a remote caller $who", (caller) => {
  test("may call exactly the remote operations that it is allowed to call", async () => {
    const token = await caller.token();
    for (const operation of all.filter(isRemote)) {
      const sample = await sampleOf(daemon, operation);
      const answer = await callAs(operation, sample, token);
      const label = `${operation.id} ${answer.text}`;
      if (operation.isPublic === true) expect(answer.status, label).toBeLessThan(300);
      else if (caller.code !== null) expectRefusal(answer, caller.code, null);
      else if (isCapabilityEnough(caller.capability!, operation.capability))
        expect(answer.status, label).toBeLessThan(300);
      else expectRefusal(answer, "forbidden", null);
      expect(answer.headers["www-authenticate"], label).toBe(answer.status === 401 ? "Bearer" : undefined);
    }
  });

  test("cannot tell an operation that only local callers have from a path that does not exist", async () => {
    const token = await caller.token();
    const unknown = tells(await callAs(all[0]!, { path: "/v1/no-such-path" }, token));
    expect(unknown).toMatchObject({ status: 404 });
    const local = all.filter((operation) => !isRemote(operation));
    expect(local.length).toBeGreaterThan(20);
    for (const operation of local) {
      const sample = await localSampleOf(operation);
      expect(tells(await callAs(operation, sample, token)), operation.id).toEqual(unknown);
      // nor by another method, a trailing slash, another case or a double slash
      const variants = [`${sample.path}/`, sample.path.toUpperCase(), sample.path.replace("/v1/", "/v1//")];
      for (const path of variants)
        expect(tells(await callAs(operation, { ...sample, path }, token)), path).toEqual(unknown);
    }
    for (const operation of all.filter(isRemote)) {
      const { path } = await sampleOf(daemon, operation);
      const answer = await callRemote(daemon, port, {
        method: "OPTIONS",
        path: path.replace(/^\/v1/, "/api/v1"),
        ...(token === undefined ? {} : { token }),
      });
      expect(tells(answer), operation.id).toEqual(unknown);
    }
  });
});
