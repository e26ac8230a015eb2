import { isIPv4, isIPv6 } from "node:net";

// Our own ranges and parser, because Node's `BlockList` matches ranges but does not unwrap an address that carries another.

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
const ranges4: readonly (readonly [cidr: string, is: AddressClass])[] = [
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
];

const ranges6: readonly (readonly [cidr: string, is: AddressClass])[] = [
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
];

/** Ranges that carry an IPv4 address, and the number of bits after it. */
const carriers: readonly (readonly [cidr: string, bitsAfter: bigint])[] = [
  ["64:ff9b::/96", 0n],
  ["::ffff:0:0:0/96", 0n],
  ["::/96", 0n],
  ["2002::/16", 80n],
];

/** Classifies an address in the form that the system prints. A text that is not an address is `reserved`. */
export function classifyAddress(address: string): AddressClass {
  if (isIPv4(address)) return classify4(readIPv4(address));
  if (!isIPv6(address) || address.includes("%")) return "reserved";
  const value = readIPv6(address);
  // IPv4-mapped: the same address in another form
  if (isWithin(value, "::ffff:0:0/96")) return classify4(value & 0xffff_ffffn);
  const known = ranges6.find(([cidr]) => isWithin(value, cidr));
  if (known !== undefined) return known[1];
  const carrier = carriers.find(([cidr]) => isWithin(value, cidr));
  if (carrier === undefined) return "public";
  // a gateway would unwrap it, so the carried address must be public too
  return classify4((value >> carrier[1]) & 0xffff_ffffn) === "public" ? "public" : "reserved";
}

function classify4(value: bigint): AddressClass {
  for (const [cidr, is] of ranges4) {
    const [base = "", bits] = cidr.split("/");
    const rest = 32n - BigInt(bits ?? 32);
    if (value >> rest === readIPv4(base) >> rest) return is;
  }
  return "public";
}

function isWithin(value: bigint, cidr: string): boolean {
  const [base = "", bits] = cidr.split("/");
  const rest = 128n - BigInt(bits ?? 128);
  return value >> rest === readIPv6(base) >> rest;
}

function readIPv4(text: string): bigint {
  return text.split(".").reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

/** Reads a valid address: eight groups, some of them omitted by `::`, the last two possibly written as an IPv4 address. */
function readIPv6(text: string): bigint {
  const plain = text.replace(/[\d.]+$/, (tail) => (tail.includes(".") ? groupsOf(readIPv4(tail)) : tail));
  const [head = "", tail] = plain.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const between = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...between, ...after].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

function groupsOf(value: bigint): string {
  return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}
