import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { isLocalName } from "../../channels/index.ts";
import { createNameServers, isUnknown, type NameServersParts } from "./name-servers.ts";
import { createSystemLookup, type SystemLookupParts } from "./system-lookup.ts";

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface HostResolver {
  /** Finds every address of a name. Rejects with a `code` such as `ENOTFOUND`. */
  readonly resolve: (hostname: string) => Promise<readonly Address[]>;
  readonly close: () => void;
}

export interface HostResolverParts extends NameServersParts {
  readonly hostsFile?: string;
  readonly askSystem?: SystemLookupParts["ask"];
}

/**
 * Resolves names without blocking a thread: by the hosts file, then by the name servers. The system may know a name
 * that they do not (mDNS, a search domain, a directory). Lookups by the system run a few at a time.
 */
export function createHostResolver(parts: HostResolverParts): HostResolver {
  const { servers, hostsFile = "/etc/hosts" } = parts;
  const lookUp = createSystemLookup({ clock: parts.clock, ask: parts.askSystem ?? askSystem });
  const nameServers = createNameServers(parts);

  const resolve = async (hostname: string): Promise<readonly Address[]> => {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    if (isLocalName(name)) return [addressOf("127.0.0.1"), addressOf("::1")];
    if (servers === null) {
      const known = await inHostsFile(name, hostsFile);
      if (known.length > 0) return known;
    }
    try {
      return (await nameServers.ask(name)).map(addressOf);
    } catch (error) {
      if (servers !== null || !isUnknown(error)) throw error;
      return (await lookUp(name)).map(addressOf);
    }
  };

  return { resolve, close: nameServers.close };
}

async function askSystem(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

function addressOf(address: string): Address {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}

/** Reads the hosts file each time: it is small, and an edit must take effect. */
async function inHostsFile(name: string, path: string): Promise<readonly Address[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(name) ? [addressOf(address)] : [];
  });
}
