// ipaddr.js parses every form of an address, and matches ranges. Its own classes lack metadata services and some forms
// that embed another address, so this file lists the ranges. Only this file may import it.
import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

/** The class of an address, which decides whether webhooks may be sent to it. */
export type AddressClass =
  | "public"
  | "loopback"
  | "private"
  | "link_local"
  | "metadata"
  | "multicast"
  | "unspecified"
  | "reserved";

/** The first match counts: single addresses come before the ranges that contain them. */
const ranges4 = listRanges<IPv4, AddressClass>(ipaddr.IPv4, [
  ["169.254.169.254/32", "metadata"],
  ["100.100.100.200/32", "metadata"],
  ["168.63.129.16/32", "metadata"],
  ["192.0.0.192/32", "metadata"],
  ["0.0.0.0/8", "unspecified"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link_local"],
  ["10.0.0.0/8", "private"],
  ["172.16.0.0/12", "private"],
  ["192.168.0.0/16", "private"],
  ["100.64.0.0/10", "private"],
  ["192.0.0.0/24", "private"],
  ["198.18.0.0/15", "private"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
]);

const ranges6 = listRanges<IPv6, AddressClass>(ipaddr.IPv6, [
  ["fd00:ec2::254/128", "metadata"],
  ["fd20:ce::254/128", "metadata"],
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["fe80::/10", "link_local"],
  ["fec0::/10", "private"],
  ["fc00::/7", "private"],
  ["ff00::/8", "multicast"],
  // Teredo and the discard prefix
  ["2001::/32", "reserved"],
  ["100::/64", "reserved"],
  // local-use NAT64, whose gateway may read the IPv4 address from other bits
  ["64:ff9b:1::/48", "reserved"],
]);

/** Ranges whose addresses embed an IPv4 address, and the byte at which it begins. */
const carriers = listRanges(ipaddr.IPv6, [
  ["64:ff9b::/96", 12],
  ["::ffff:0:0:0/96", 12],
  ["::/96", 12],
  ["2002::/16", 2],
]);

/** Classifies an address in the form that the system prints. A text that is not an address is `reserved`. */
export function classifyAddress(text: string): AddressClass {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return classify4(ipaddr.IPv4.parse(text));
  if (!ipaddr.IPv6.isValid(text) || text.includes("%")) return "reserved";
  const address = readIPv6(text);
  // the same address in another form
  if (address.isIPv4MappedAddress()) return classify4(address.toIPv4Address());
  const known = ranges6.find(({ range }) => address.match(range));
  if (known !== undefined) return known.is;
  const carrier = carriers.find(({ range }) => address.match(range));
  if (carrier === undefined) return "public";
  const carried = new ipaddr.IPv4(address.toByteArray().slice(carrier.is, carrier.is + 4));
  // a gateway sends to the embedded address, so that address must be public too
  return classify4(carried) === "public" ? "public" : "reserved";
}

/**
 * Parses an IPv6 address. ipaddr.js would read `::1.2.3.4` as `::ffff:1.2.3.4`, a different address, so the decimal
 * bytes are rewritten as groups first.
 */
function readIPv6(text: string): IPv6 {
  const groups = text.replace(/\d+\.\d+\.\d+\.\d+$/, (tail) => {
    const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(tail).octets;
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  return ipaddr.IPv6.parse(groups);
}

function classify4(address: IPv4): AddressClass {
  return ranges4.find(({ range }) => address.match(range))?.is ?? "public";
}

function listRanges<A extends IPv4 | IPv6, T>(
  family: { readonly parseCIDR: (text: string) => [A, number] },
  ranges: readonly (readonly [cidr: string, is: T])[],
): readonly { readonly range: [A, number]; readonly is: T }[] {
  return ranges.map(([cidr, is]) => ({ range: family.parseCIDR(cidr), is }));
}
