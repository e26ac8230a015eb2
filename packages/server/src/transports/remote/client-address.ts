import { isIPv4, isIPv6 } from "node:net";

/**
 * Returns the address for which limits are counted. One machine may use every address of its IPv6 network of 64 bits, so
 * such a network counts as one. An IPv4 address may arrive in its IPv6 form.
 */
export function limitedAddressOf(address: string): string {
  const [plain = ""] = address.split("%", 1);
  const mapped = /^::ffff:([\d.]+)$/i.exec(plain)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  return isIPv6(plain) ? networkOf(plain) : plain;
}

function networkOf(address: string): string {
  const [before = "", after] = address.split("::", 2);
  const left = groupsOf(before);
  const right = groupsOf(after ?? "");
  const zeros = after === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => "0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/** An IPv4 address at the end is two groups. */
function groupsOf(text: string): readonly string[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => (group.includes(".") ? ["0", "0"] : [group]));
}
