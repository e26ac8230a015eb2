/** What a client needs to reach and trust a daemon, besides the phrase. It contains no secret. */
export interface Invitation {
  readonly pairingId: string;
  /** The identity of the installation. */
  readonly daemonId: string;
  /** Hosts with ports, such as `build.example.org:7443` and `[2001:db8::1]:7443`. */
  readonly addresses: readonly string[];
  readonly trust: InvitedTrust;
}

/** How a client recognizes the daemon: by its own root, or by the public key of a certificate from elsewhere. */
export type InvitedTrust =
  /** The certificate in DER. */
  | { readonly kind: "root"; readonly certificate: Uint8Array }
  /** The SHA-256 of the public key (SPKI), in hexadecimal. */
  | { readonly kind: "key"; readonly publicKeySha256: string };

const version = "bfi1";
const separator = ".";
const rootMark = "r";
const keyMark = "k";
const form = /^bfi1\.([\w-]+)\.([\w-]+)\.([\w-]+)\.([rk])([\w-]+)\.([0-9a-f]{8})$/;

/** Writes an invitation as one line of text, with a checksum that detects a text that was cut. */
export function formatInvitation({ pairingId, daemonId, addresses, trust }: Invitation): string {
  const trusted =
    trust.kind === "root" ? `${rootMark}${toBase64Url(trust.certificate)}` : `${keyMark}${trust.publicKeySha256}`;
  const text = [version, pairingId, daemonId, toBase64Url(bytesOf(addresses.join(","))), trusted].join(separator);
  return `${text}${separator}${checksumOf(text)}`;
}

/** Reads an invitation; null if the text is not a complete one. White space is ignored, because terminals wrap long lines. */
export function parseInvitation(text: string): Invitation | null {
  const whole = text.replaceAll(/\s/g, "");
  const [, pairingId, daemonId, addresses, mark, trusted, checksum] = form.exec(whole) ?? [];
  if (pairingId === undefined || daemonId === undefined || addresses === undefined || trusted === undefined)
    return null;
  if (checksumOf(whole.slice(0, whole.lastIndexOf(separator))) !== checksum) return null;
  const [listed, certificate] = [fromBase64Url(addresses), mark === rootMark ? fromBase64Url(trusted) : null];
  if (listed === null || (mark === rootMark && certificate === null)) return null;
  return {
    pairingId,
    daemonId,
    addresses: new TextDecoder()
      .decode(listed)
      .split(",")
      .filter((address) => address !== ""),
    trust: certificate === null ? { kind: "key", publicKeySha256: trusted } : { kind: "root", certificate },
  };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function toBase64Url(bytes: Uint8Array): string {
  const binary = [...bytes].map((byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
      character.charCodeAt(0),
    );
  } catch {
    return null;
  }
}

/** FNV-1a: it detects mistakes in copying, and protects against nothing else. */
function checksumOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of bytesOf(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
