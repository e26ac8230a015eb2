import { Resolver } from "node:dns/promises";
import { limits } from "@belfry/contract";
import { type Clock, type Timer, within } from "../../../kernel/time/clock.ts";

export interface NameServersParts {
  readonly clock: Pick<Clock, "after">;
  /** `address` or `address:port`; null for the name servers of the system. */
  readonly servers: readonly string[] | null;
  /**
   * Opens a resolver that asks this server. With null, it asks the system's current servers, in the system's order of
   * preference.
   */
  readonly openResolver?: (server: string | null) => Resolver;
}

/** After this long without an answer, another server is queried too, or the same one again, because packets get lost. */
const askAgainMs = 1_500;
const asksMax = 3;
/** The longest wait for the second address family after the first one is known. */
const otherFamilyMs = 500;

export type NameServers = ReturnType<typeof createNameServers>;

/**
 * Queries name servers, and accepts an answer until the end of the attempt. c-ares learns a server's usual delay from
 * the answers to one resolver, and ignores an answer that takes a small multiple of it. So a resolver is not used again
 * after an answer, and this file repeats queries itself.
 */
export function createNameServers({ clock, servers, openResolver = openServer }: NameServersParts) {
  /** The resolvers that have no answer yet, by server. */
  const open = new Map<string | null, Resolver>();
  /** The unanswered questions, each with the resolver that is asking it. */
  const asking = new Set<{ readonly resolver: Resolver }>();
  let isClosed = false;

  return {
    /** Finds every address of a name, as text. Rejects with a `code` such as `ENOTFOUND`. */
    ask: (name: string): Promise<readonly string[]> =>
      new Promise((resolve, reject) => {
        const order = servers ?? [null, ...openResolver(null).getServers().slice(1)];
        let attempts = 0;
        let failed = 0;
        let timer: Timer | null = null;
        const askNext = (): void => {
          timer?.cancel();
          const server = order[attempts % order.length]!;
          attempts++;
          timer = attempts < asksMax ? clock.after(askAgainMs, askNext) : null;
          askOne(server, name).then(
            (addresses) => {
              timer?.cancel();
              resolve(addresses);
            },
            (error: unknown) => {
              failed++;
              const isLast = failed === attempts;
              if (isLast && !isUnknown(error) && attempts < order.length && !isClosed) return askNext();
              // a server that was queried before may still answer
              if (!isLast && !isUnknown(error)) return;
              timer?.cancel();
              reject(error);
            },
          );
        };
        askNext();
      }),
    close: (): void => {
      isClosed = true;
      for (const { resolver } of asking) resolver.cancel();
    },
  };

  async function askOne(server: string | null, name: string): Promise<readonly string[]> {
    const resolver = open.get(server) ?? openResolver(server);
    open.set(server, resolver);
    try {
      return await addressesOf(resolver, name);
    } finally {
      if (open.get(server) === resolver) open.delete(server);
    }
  }

  async function addressesOf(resolver: Resolver, name: string): Promise<readonly string[]> {
    const question = { resolver };
    asking.add(question);
    const found: string[] = [];
    const families = [resolver.resolve4(name), resolver.resolve6(name)];
    const answers = families.map(async (family) => void found.push(...(await family)));
    const both = Promise.allSettled(answers).finally(() => asking.delete(question));
    await Promise.any(answers).catch(() => {});
    await within(clock, otherFamilyMs, both);
    return found.length > 0 ? found : families[0]!;
  }
}

/** Whether the name servers report that the name does not exist. */
export function isUnknown(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOTFOUND" || error.code === "ENODATA");
}

function openServer(server: string | null): Resolver {
  const resolver = new Resolver({ timeout: limits.webhookTimeoutMs, tries: 1 });
  if (server !== null) resolver.setServers([server]);
  return resolver;
}
