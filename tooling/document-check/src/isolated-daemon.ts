import { mkdir } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { tempDir, until } from "@belfry/test-kit";
import { repository, runCommand, startCommand } from "../../scripts/run-command.ts";

const namespaces = ["--net", "--pid", "--fork", "--mount-proc", "--kill-child"];

/**
 * Finds a command that isolates a process from the network and from other processes. Undefined if this machine allows
 * none.
 */
export async function findIsolation(): Promise<readonly string[] | undefined> {
  for (const privileges of [[], ["--user", "--map-root-user"]]) {
    const isolation = [...privileges, ...namespaces];
    if ((await runCommand("unshare", [...isolation, "true"])).exitCode === 0) return isolation;
  }
  return undefined;
}

/**
 * Starts a daemon that may receive any request: its tasks find no program, and its webhooks no receiver. It answers at
 * a port of this machine, and the end of the scope removes everything.
 */
export async function startIsolatedDaemon(isolation: readonly string[]) {
  await using stack = new AsyncDisposableStack();
  const dir = stack.use(await tempDir("belfry-isolated-"));
  const environment = { HOME: join(dir.path, "home"), PATH: join(dir.path, "no-programs") };
  for (const folder of Object.values(environment)) await mkdir(folder);

  const program = [process.execPath, "--conditions=@belfry/source", join(repository, "packages/server/src/bin.ts")];
  const command = [...program, "--data-dir", join(dir.path, "data")];
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const args = [...isolation, "env", "--ignore-environment", ...variables, ...command];
  const daemon = stack.use(startCommand("unshare", args, { endsBy: "SIGKILL" }));

  const socketPath = join(dir.path, "data", "belfry.sock");
  const failed = daemon.ended.then(({ output }) => Promise.reject(new Error(`the daemon did not start:\n${output}`)));
  failed.catch(() => undefined);
  await Promise.race([failed, until("the daemon listens", () => accepts(socketPath), 60_000)]);
  const proxy = stack.use(await forwardTo(socketPath));
  const kept = stack.move();
  return { origin: proxy.origin, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function accepts(socketPath: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(socketPath, () => resolve(true));
  socket.once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** Forwards a port to the socket, because Schemathesis does not support Unix sockets. */
async function forwardTo(socketPath: string): Promise<AsyncDisposable & { readonly origin: string }> {
  const server = createServer((client) => {
    const daemon = connect(socketPath);
    client.pipe(daemon).pipe(client);
    client.once("error", () => daemon.destroy());
    daemon.once("error", () => client.destroy());
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await listening;
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
