/** An address of a daemon, as in invitations: `build.example.org:7443`, `192.0.2.10:7443` or `[2001:db8::1]:7443`. */
export interface Address {
  /** The address as it was written. */
  readonly text: string;
  /** The host name or the IP address, without brackets. */
  readonly host: string;
  readonly port: number;
}

const form = /^(?:\[([0-9a-f:.]+)\]|([^\s:/?#@[\]]+)):(\d{1,5})$/i;
const portMax = 65_535;

/** Reads an address. Throws a `TypeError` if the text is not a host with a port. */
export function parseAddress(text: string): Address {
  const [, ipv6, name, digits] = form.exec(text) ?? [];
  const [host, port] = [ipv6 ?? name, Number(digits)];
  if (host === undefined || port < 1 || port > portMax) {
    throw new TypeError(
      `${JSON.stringify(text)} is not the address of a daemon. Write a host and a port, such as build.example.org:7443 or [2001:db8::1]:7443.`,
    );
  }
  return { text, host, port };
}
