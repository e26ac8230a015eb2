import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { createCa } from "../../../packages/server/tests/support/certificates.ts";
import {
  type Answer,
  daemonLeaf,
  type FakeRemote,
  fakeRemote,
  invitationTo,
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
}

export async function newRemote(answer?: Answer): Promise<RemoteMachine> {
  await using stack = new AsyncDisposableStack();
  const ca = stack.use(await createCa());
  const daemon = stack.use(await fakeRemote(daemonLeaf(ca), answer));
  const open = stack.move();
  return {
    daemon,
    invitation: invitationTo(ca.ca, daemon.address),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

export async function enroll(machine: Machine, { invitation }: RemoteMachine, name: string): Promise<Outcome> {
  const outcome = await machine.call(["enroll", invitation, "--name", name], { stdin: `${phrase}\n` });
  if (outcome.code !== 0) throw new Error(`enroll ended with ${outcome.code}: ${outcome.stderr}`);
  return outcome;
}
