import { lookup, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import type { Clock } from "../../kernel/clock.ts";
import { isLocalName } from "./endpoint.ts";
import { createSystemLookup, type SystemLookupParts } from "./system-lookup.ts";

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface HostResolver {
  /** Every address of a name, once; rejects with a `code` such as `ENOTFOUND`. */
  readonly resolve: (hostname: string) => Promise<readonly Address[]>;
  readonly close: () => void;
}

export interface HostResolverParts {
  /** `address` or `address:port`; null for those of the system. */
  readonly servers: readonly string[] | null;
  readonly clock: Pick<Clock, "after">;
  readonly hostsFile?: string;
  readonly askSystem?: SystemLookupParts["ask"];
  /** Knows the name servers of the moment at which it is made, and no later ones. */
  readonly openDns?: () => Resolver;
}

/**
 * Names to addresses without holding a thread: the hosts file, then the name servers. A name that they do not know may still
 * be one of the system's own (mDNS, a search domain, a directory): those are asked for a few at a time.
 */
export function createHostResolver(parts: HostResolverParts): HostResolver {
  const { servers, hostsFile = "/etc/hosts", openDns = openSystemDns } = parts;
  const lookUp = createSystemLookup({ clock: parts.clock, ask: parts.askSystem ?? askSystem });
  let dns = openDns();
  if (servers !== null) dns.setServers([...servers]);

  const resolve = async (hostname: string): Promise<readonly Address[]> => {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    if (isLocalName(name)) return [addressOf("127.0.0.1"), addressOf("::1")];
    if (servers === null) {
      const known = await inHostsFile(name, hostsFile);
      if (known.length > 0) return known;
    }
    const asked = dns;
    const answers = await Promise.allSettled([asked.resolve4(name), asked.resolve6(name)]);
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (found.length > 0) return found.map(addressOf);
    const failure: unknown = answers.find((answer) => answer.status === "rejected")?.reason;
    if (servers !== null) throw failure;
    if (isUnknown(failure)) return (await lookUp(name)).map(addressOf);
    // another network may have other name servers
    if (dns === asked) dns = openDns();
    throw failure;
  };

  return { resolve, close: () => dns.cancel() };
}

async function askSystem(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

function openSystemDns(): Resolver {
  return new Resolver({ timeout: 1_500, tries: 2 });
}

function addressOf(address: string): Address {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}

function isUnknown(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOTFOUND" || error.code === "ENODATA");
}

/** Read each time: it is small, and whoever edits it expects to be heeded. */
async function inHostsFile(name: string, path: string): Promise<readonly Address[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(name) ? [addressOf(address)] : [];
  });
}
