import { isIP, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import { invalid } from "../../kernel/errors/errors.ts";

/** A host with or without a port, as in `build.example.org` and `[2001:db8::1]:8443`. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number | null;
}

const label = "[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?";
const hostName = new RegExp(`^${label}(\\.${label})*$`);
const portMax = 65_535;

/** Reads an advertised host; null if it is neither a host name nor an address. */
export function parseHostAndPort(text: string): HostAndPort | null {
  if (isIP(text) !== 0) return { host: text, port: null };
  const [, v6, other, digits] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > portMax)) return null;
  if (v6 !== undefined) return isIPv6(v6) ? { host: v6, port } : null;
  return other !== undefined && (isIP(other) !== 0 || hostName.test(other)) ? { host: other, port } : null;
}

export function requireHosts(advertise: readonly string[]): void {
  advertise.forEach((text, index) => {
    if (parseHostAndPort(text) !== null) return;
    const field = `advertise.${index}`;
    throw invalid(
      field,
      `${field} must be a host name or an address, such as build.example.org or [2001:db8::1]:8443, not ${JSON.stringify(text)}`,
    );
  });
}

/** Lists where clients may reach the daemon: the advertised hosts first, then the addresses of this machine. */
export function listAddresses(of: {
  readonly host: string;
  readonly port: number;
  readonly advertise: readonly string[];
}): readonly string[] {
  const advertised = of.advertise.map(parseHostAndPort).filter((found) => found !== null);
  const own = listensEverywhere(of.host) ? machineAddresses(of.host) : [of.host];
  const reached = [...advertised, ...own.map((host) => ({ host, port: null }))];
  return [...new Set(reached.map(({ host, port }) => formatAddress(host, port ?? of.port)))];
}

/**
 * Lists the names for a certificate: the addresses of this machine, and the hosts by which clients reach it. The
 * machine's own host name is not among them, because everyone who connects reads the certificate.
 */
export function listCertificateNames(advertise: readonly string[], serverName: string): readonly string[] {
  const advertised = advertise.map(parseHostAndPort).flatMap((found) => (found === null ? [] : [found.host]));
  const names = [serverName, "localhost", ...advertised];
  return [...new Set([...names, "127.0.0.1", "::1", ...machineAddresses("::")])];
}

export function isAddress(name: string): boolean {
  return isIP(name) !== 0;
}

export function formatAddress(host: string, port: number): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function listensEverywhere(host: string): boolean {
  return host === "::" || host === "0.0.0.0";
}

/** Lists the addresses that other machines can use. A link-local address is valid on one link only. */
function machineAddresses(host: string): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all
    .filter(({ internal, address }) => !internal && !/^fe[89ab]/i.test(address) && !address.startsWith("169.254."))
    .filter(({ family }) => host === "::" || family === "IPv4")
    .map(({ address }) => address);
}
