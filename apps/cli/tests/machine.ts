import { tempDir } from "@belfry/test-kit";
import { createHash, X509Certificate } from "node:crypto";
import { join } from "node:path";
import { formatInvitation } from "@belfry/contract";
import { createCa } from "../../../packages/server/tests/support/certificates.ts";
import {
  type Answer,
  daemonId,
  daemonLeaf,
  type FakeRemote,
  fakeRemote,
  invitationTo,
  pairingId,
  phrase,
} from "../../../packages/client/tests/fake-remote-daemon.ts";
import { type CallOptions, callBelfry, type Outcome } from "./call.ts";

/** A machine whose user has no profile yet, and the folder where the profiles will be. */
export interface Machine extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
  readonly profiles: string;
  readonly call: (args: readonly string[], options?: CallOptions) => Promise<Outcome>;
}

export async function newMachine(): Promise<Machine> {
  const home = await tempDir();
  const environment = { HOME: home.path, XDG_CONFIG_HOME: join(home.path, "config") };
  return {
    environment,
    profiles: join(home.path, "config", "belfry", "profiles"),
    call: (args, options = {}) =>
      callBelfry(args, { ...options, environment: { ...environment, ...options.environment } }),
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

/** A daemon on another machine, and its invitation. */
export interface RemoteMachine extends AsyncDisposable {
  readonly daemon: FakeRemote;
  readonly invitation: string;
  /** The invitation of the same daemon if it has a certificate from elsewhere, and the authority of this one. */
  readonly keyInvitation: string;
  readonly authority: string;
}

export async function newRemote(answer?: Answer): Promise<RemoteMachine> {
  await using stack = new AsyncDisposableStack();
  const ca = stack.use(await createCa());
  const leaf = daemonLeaf(ca);
  const daemon = stack.use(await fakeRemote(leaf, answer));
  const open = stack.move();
  return {
    daemon,
    invitation: invitationTo(ca.ca, daemon.address),
    keyInvitation: formatInvitation({
      pairingId,
      daemonId,
      addresses: [daemon.address],
      trust: { kind: "key", publicKeySha256: keySha256(leaf.cert) },
    }),
    authority: ca.ca,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

function keySha256(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("hex");
}

export async function enroll(machine: Machine, { invitation }: RemoteMachine, name: string): Promise<Outcome> {
  const outcome = await machine.call(["enroll", invitation, "--name", name], { stdin: `${phrase}\n` });
  if (outcome.code !== 0) throw new Error(`enroll ended with ${outcome.code}: ${outcome.stderr}`);
  return outcome;
}
