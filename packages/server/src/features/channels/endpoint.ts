import { domainToUnicode } from "node:url";
import { invalid } from "../../kernel/errors/errors.ts";
import { type AddressClass, classifyAddress } from "./address-class.ts";

/** The rules of the configuration, in addition to the contract's own. */
export interface EndpointRules {
  readonly denyPrivate: boolean;
}

export interface Endpoint {
  /** The complete URL, for the request. */
  readonly url: URL;
  /** Scheme and host: the only part of the endpoint that is ever shown. */
  readonly summary: string;
}

const hostCharactersMax = 253;
const labelCharactersMax = 63;

const refused: Partial<Record<AddressClass, string>> = {
  link_local: "a link-local address",
  metadata: "a cloud metadata address",
  multicast: "a multicast address",
  unspecified: "an unspecified address",
  reserved: "a reserved address",
};

/** Returns why webhooks must not be sent to this address, or null. Plain HTTP is allowed only to this machine. */
export function refusalOfAddress(address: string, protocol: string, { denyPrivate }: EndpointRules): string | null {
  const kind = classifyAddress(address);
  const never = refused[kind];
  if (never !== undefined) return never;
  if (protocol === "http:" && kind !== "loopback")
    return "the address of another machine: http is allowed only for loopback addresses, so use https";
  if (denyPrivate && kind === "private") return "a private address, which webhooks.deny_private forbids";
  return null;
}

/**
 * Reads and checks the endpoint that a person gave for a channel (contract: Notification channels). The URL parser
 * normalizes every spelling of an address, so an address is checked here. A host name is checked at each connection, by
 * the addresses that it resolves to.
 */
export function readEndpoint(text: string, rules: EndpointRules): Endpoint {
  const url = parse(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw refuse("must begin with https://, or with http:// for a receiver on the daemon's machine");
  // an empty user or fragment leaves no trace in the parsed form
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(text))
    throw refuse("must not contain a user name or password: set the channel's authorization instead");
  if (text.includes("#")) throw refuse("must not contain a fragment: remove the part after #");
  if (url.port === "0") throw refuse("must not use port 0: use the port the receiver listens on");
  const literal = literalHost(url);
  if (literal === null) checkName(url.hostname);
  if (url.protocol === "http:" && literal === null && !isLocalName(url.hostname))
    throw refuse("must use https: http is allowed only for loopback addresses and localhost");
  const refusal = literal === null ? null : refusalOfAddress(literal, url.protocol, rules);
  if (refusal !== null) throw refuse(`must not point to ${refusal}`);
  return { url, summary: url.origin };
}

function parse(text: string): URL {
  // the parser would silently correct these
  if (/[\s\\]/.test(text) || hasControl(text))
    throw refuse("must not contain spaces, backslashes or control characters: percent-encode them");
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(text))
    throw refuse("must be a complete URL, for example https://hooks.example.com/services/42");
  try {
    return new URL(text);
  } catch {
    throw refuse("must be a valid URL, for example https://hooks.example.com/services/42");
  }
}

/** Rejects a host name that cannot exist (RFC 1035, RFC 5891). The URL parser accepts such names. */
function checkName(hostname: string): void {
  const name = hostname.replace(/\.$/, "");
  const labels = name.split(".");
  if (labels.includes(""))
    throw refuse(
      "must not have a host name that starts with a dot or contains two dots in a row: remove the extra dot",
    );
  const longest = Math.max(...labels.map(({ length }) => length));
  if (longest > labelCharactersMax)
    throw refuse(
      `has a label of ${longest} characters in its host name: shorten the label to at most ${labelCharactersMax}`,
    );
  if (name.length > hostCharactersMax)
    throw refuse(`has a host name of ${name.length} characters: shorten it to at most ${hostCharactersMax}`);
  // a label that cannot be decoded stays as it is
  if (labels.some((label) => label.startsWith("xn--") && domainToUnicode(label).startsWith("xn--")))
    throw refuse("has a host name label that begins with xn-- but is not valid Punycode: write the label in Unicode");
}

function hasControl(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\u007f");
}

/** Returns the host of a URL if it is an address, or null if it is a name. */
export function literalHost(url: URL): string | null {
  if (url.hostname.startsWith("[")) return url.hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(url.hostname) ? url.hostname : null;
}

/** Whether the name always refers to this machine (RFC 6761). */
export function isLocalName(hostname: string): boolean {
  return /^(?:.+\.)?localhost\.?$/.test(hostname);
}

function refuse(message: string) {
  return invalid("endpoint", `endpoint ${message}`);
}
