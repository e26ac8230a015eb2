import { TrustError } from "../trust-errors.ts";
import type { Address } from "./address.ts";
import { keyNotPinned } from "./pin.ts";

const impostor = "Another machine may answer at this address. Nothing was sent to it.";

/** Describes why a server did not prove that it is the daemon: what is wrong, and how to fix it. */
export function explainTrustFailure(error: NodeJS.ErrnoException, address: Address): TrustError {
  const code = error.code ?? "UNVERIFIED";
  return new TrustError(explain(code, address.text), { address: address.text, code, cause: describe(error) });
}

function explain(code: string, address: string): string {
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return `The certificate of the daemon at ${address} has expired. Nothing was sent. Renew it on the daemon's machine with \`belfry remote renew\`, and check the clocks of both machines.`;
    case "CERT_NOT_YET_VALID":
      return `The certificate of the daemon at ${address} is not valid yet. Nothing was sent. Check the clocks of both machines.`;
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `The certificate at ${address} is not that of the expected installation. ${impostor}`;
    case keyNotPinned:
      return `The certificate at ${address} has another public key than the one that this client trusts. ${impostor} If the daemon has a new key, enrol again.`;
    default:
      if (isProtocolFailure(code))
        return `The server at ${address} did not complete a TLS 1.3 handshake (${code}). ${impostor}`;
      return `The certificate at ${address} is not signed by the authority that this client trusts (${code}). ${impostor} If the daemon has a new root, enrol again. If its administrator supplied the certificate, enrol with the authority of that certificate.`;
  }
}

function isProtocolFailure(code: string): boolean {
  return code === "EPROTO" || code.startsWith("ERR_SSL_");
}

/** Node adds the whole certificate of the server to its error, which nobody should have to read in a log. */
function describe({ message, code }: NodeJS.ErrnoException): Error {
  return Object.assign(new Error(message), { code });
}
