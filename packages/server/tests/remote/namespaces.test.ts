import { tempDir } from "@belfry/test-kit";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeTask } from "../support/api.ts";
import type { Json } from "../support/harness.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { configureRemote, raisedLimits, untilListening } from "../support/remote-process.ts";

const daemons = useDaemonProcess();
const program = fileURLToPath(new URL("clients/sdk.ts", import.meta.url));

/** The address of whichever daemon the client is wired to. */
const address = "10.77.0.1";
const clientAddress = "10.77.0.2";

async function hold(command: string, args: readonly string[]): Promise<ChildProcess> {
  const script = "ip link set lo up && echo ready && exec sleep 900";
  const holder = spawn(command, [...args, "/bin/sh", "-c", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(holder.stdout, "data");
  return holder;
}

const entering = ({ pid }: ChildProcess): readonly string[] => [
  "nsenter",
  "-t",
  String(pid),
  "-U",
  "-n",
  "--preserve-credentials",
];

/** A client and two machines with the same address, in network namespaces. The client is wired to one of them at a time. */
async function openNetwork() {
  const client = await hold("unshare", ["-Urn"]);
  const machines: ChildProcess[] = [];
  const inside = (holder: ChildProcess, ...words: readonly string[]): void => {
    const [command, ...args] = [...entering(holder), ...words];
    execFileSync(command!, args, { stdio: ["ignore", "ignore", "inherit"] });
  };
  for (const wire of ["wire0", "wire1"]) {
    const machine = await hold("nsenter", ["-t", String(client.pid), "-U", "--preserve-credentials", "unshare", "-n"]);
    machines.push(machine);
    inside(client, "ip", "link", "add", wire, "type", "veth", "peer", "name", "eth0", "netns", String(machine.pid));
    inside(machine, "ip", "address", "add", `${address}/24`, "dev", "eth0");
    inside(machine, "ip", "link", "set", "eth0", "up");
  }
  return {
    starters: machines.map(entering),
    wireTo: (chosen: 0 | 1): void => {
      for (const wire of ["wire0", "wire1"]) {
        inside(client, "ip", "link", "set", wire, "down");
        inside(client, "ip", "address", "flush", "dev", wire);
      }
      inside(client, "ip", "address", "add", `${clientAddress}/24`, "dev", `wire${chosen}`);
      inside(client, "ip", "link", "set", `wire${chosen}`, "up");
    },
    /** Takes one step as the client, in a process of its own. */
    step: async (step: object): Promise<Json> => {
      const [command, ...args] = [...entering(client), process.execPath, "--conditions=@belfry/source", program];
      const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
      child.stdin.end(JSON.stringify(step));
      return JSON.parse(await text(child.stdout));
    },
    [Symbol.asyncDispose]: async () => {
      for (const holder of [...machines, client]) holder.kill("SIGKILL");
    },
  };
}

test("a client that is wired to another machine with the daemon's address sends it nothing", async () => {
  await using network = await openNetwork();
  await using dir = await tempDir("br-");
  await using copied = await tempDir("br-");
  await using strange = await tempDir("br-");
  const [first, second] = network.starters;
  const port = await configureRemote(dir.path, raisedLimits, { host: address });
  await using original = await daemons.start({ dataDir: dir.path, starter: first! });
  await untilListening(original);
  await makeTask(original, { name: "On the original" });

  const { json: pairing } = await original.call("POST", "/v1/access/pairings", {
    name: "Client",
    capability: "observe",
  });
  network.wireTo(0);
  const options = { invitation: pairing.invitation, phrase: pairing.phrase };
  const { value: profile } = await network.step({ do: "enroll", options });
  expect(profile).toMatchObject({ daemonId: pairing.daemon_id, capability: "observe" });
  const read = { do: "read", profile };
  expect(await network.step(read)).toMatchObject({ value: { tasks: [{ name: "On the original" }] } });
  // the phrase worked once
  expect(await network.step({ do: "enroll", options })).toMatchObject({ error: "UnauthorizedError" });

  {
    // a daemon of its own at the same address and port
    await configureRemote(strange.path, raisedLimits, { host: address, port });
    await using stranger = await daemons.start({ dataDir: strange.path, starter: second! });
    await untilListening(stranger);
    network.wireTo(1);
    expect(await network.step(read)).toMatchObject({ error: "TrustError" });
    expect(await network.step({ do: "enroll", options })).toMatchObject({ error: "TrustError" });
  }

  // a copy of the machine is the same to a client, until it gets a root of its own
  await original.stop();
  await cp(dir.path, copied.path, {
    recursive: true,
    filter: (path) => !path.endsWith(".sock") && !path.includes("/runners/"),
  });
  await using restarted = await daemons.start({ dataDir: dir.path, starter: first! });
  await untilListening(restarted);
  await using copy = await daemons.start({ dataDir: copied.path, starter: second! });
  await untilListening(copy);
  network.wireTo(1);
  expect(await network.step(read)).toHaveProperty("value");
  expect((await copy.call("POST", "/v1/remote/renew", { root: true })).status).toBe(200);
  expect(await network.step(read)).toMatchObject({ error: "TrustError" });
  await copy.call("POST", "/v1/manifest/reset", { confirm_installation_id: pairing.daemon_id });
  expect(await network.step(read)).toMatchObject({ error: "TrustError" });

  network.wireTo(0);
  expect(await network.step(read)).toMatchObject({ value: { tasks: [{ name: "On the original" }] } });
  // the daemon lowers the grant
  const path = `/v1/access/actors/${profile.actorId}`;
  expect((await restarted.call("PATCH", path, { capability: "operate" })).status).toBe(200);
  expect(await network.step(read)).toHaveProperty("value");
  const expecting = { do: "read", profile: { ...profile, capability: "operate" } };
  expect(await network.step(expecting)).toHaveProperty("value");
  await restarted.call("PATCH", path, { capability: "observe" });
  expect(await network.step(expecting)).toMatchObject({ error: "GrantReducedError" });
});
