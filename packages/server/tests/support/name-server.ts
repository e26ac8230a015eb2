import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { isIPv4 } from "node:net";

/** The addresses of a name at its nth question. An empty list means an unknown name, and null means no answer. */
export type Zone = (name: string, nth: number) => readonly string[] | null;

/** The delay of an answer in milliseconds. Null means no answer. */
export type Delay = (name: string, family: 4 | 6, nth: number) => number | null;

/** A real name server on this machine, for A and AAAA: `await using names = await startNameServer(...)`. */
export async function startNameServer(zone: Zone, delayOf: Delay = () => 0) {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  let isOpen = true;
  socket.on("message", (query, from) => {
    const { name, end } = readName(query, 12);
    const type = query.readUInt16BE(end);
    if (type === 1) asked.push(name);
    const nth = asked.filter((each) => each === name).length;
    const known = zone(name, nth);
    if (known === null) return;
    const records = known.filter((address) => isIPv4(address) === (type === 1)).map(recordOf);
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    // the flags of a recursive answer; code 3 means that the name does not exist
    head.writeUInt16BE(known.length === 0 ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    const answer = Buffer.concat([head, query.subarray(12, end + 4), ...records]);
    const send = (): void => void (isOpen && socket.send(answer, from.port, from.address));
    const delayMs = delayOf(name, type === 1 ? 4 : 6, nth);
    if (delayMs === 0) send();
    else if (delayMs !== null) setTimeout(send, delayMs);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    /** Names in the order of their A questions. */
    asked,
    [Symbol.asyncDispose]: () => {
      isOpen = false;
      return new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}

/** Opens resolvers whose system name servers are the listed ones. */
export function openResolverOf(listServers: () => readonly string[]) {
  return (server: string | null): Resolver => {
    const resolver = new Resolver({ timeout: 5_000, tries: 1 });
    resolver.setServers(server === null ? [...listServers()] : [server]);
    return resolver;
  };
}

function readName(message: Buffer, from: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = from;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

/** A pointer to the question's name, the type, the class, no time to live, and the address. */
function recordOf(address: string): Buffer {
  const data = isIPv4(address) ? Buffer.from(address.split(".").map(Number)) : bytesOfIPv6(address);
  const head = Buffer.from([0xc0, 0x0c, 0, data.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

function bytesOfIPv6(address: string): Buffer {
  const [head = "", tail = ""] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === "" ? [] : tail.split(":");
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => "0"), ...after];
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}
