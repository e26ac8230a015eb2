import { tempDir } from "@belfry/test-kit";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";

/**
 * What happens to what the daemon answers: `hold` keeps it back, `cut` breaks the connection at its first bytes, and
 * `cut-changes` does so for answers to changes alone. `lose-changes` breaks the connection before the daemon gets a change.
 */
export type Treatment = "pass" | "hold" | "cut" | "cut-changes" | "lose-changes";

/**
 * A socket in front of the daemon's own, whose answers a test holds back or cuts off:
 * `await using held = await holdSocket(daemon.socketPath)`.
 */
export async function holdSocket(daemonSocket: string) {
  await using opened = new AsyncDisposableStack();
  const place = opened.use(await tempDir("hs-"));
  const path = join(place.path, "s");
  const sockets = new Set<Socket>();
  const behind = new Set<Socket>();
  let treatment: Treatment = "pass";
  const changes: string[] = [];
  const server = createServer((front) => {
    const back = connect(daemonSocket);
    sockets.add(front).add(back);
    behind.add(back);
    const end = (): void => {
      for (const socket of [front, back]) {
        socket.destroy();
        sockets.delete(socket);
      }
      behind.delete(back);
    };
    for (const socket of [front, back]) socket.on("error", end).on("close", end);
    let isChange = false;
    front.on("data", (part: Buffer) => {
      const [, method, target] =
        /^(GET|POST|PUT|PATCH|DELETE) (\S+)/.exec(part.subarray(0, 200).toString("latin1")) ?? [];
      if (method !== undefined) isChange = method !== "GET";
      if (target !== undefined && isChange) changes.push(`${method} ${target}`);
      if (treatment === "lose-changes" && isChange) end();
      else back.write(part);
    });
    front.on("end", () => back.end());
    back.on("data", (part: Buffer) => {
      if (treatment !== "cut" && !(treatment === "cut-changes" && isChange)) return void front.write(part);
      // some of the answer has arrived, and the rest never will
      front.end(part.subarray(0, 20), end);
    });
    if (treatment === "hold") back.pause();
  });
  opened.defer(
    () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const kept = opened.move();
  return {
    path,
    /** The changes that were asked for until now, each with its method and path. */
    changes: (): readonly string[] => [...changes],
    treat: (next: Treatment): void => {
      treatment = next;
      for (const back of behind) {
        if (next === "hold") back.pause();
        else back.resume();
      }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
