import { IdempotencyKey, type Operation, parseBy } from "@belfry/contract";
import type { IncomingMessage } from "node:http";
import { invalid } from "../../kernel/errors/errors.ts";
import { holdsKey } from "../../kernel/log/redact.ts";
import { countHeader } from "./raw-headers.ts";

type Sent = Pick<IncomingMessage, "headers" | "rawHeaders">;

/** Reads the two headers that concern a write, if the operation supports them. */
export function readCallHeaders(sent: Sent, operation: Operation) {
  return {
    ifMatch: operation.conditional === true ? readOnce(sent, "If-Match") : null,
    idempotencyKey:
      operation.replayedBy === undefined ? refuseIdempotencyKey(sent, operation) : readIdempotencyKey(sent),
  };
}

/** Refuses a key that promises what the operation cannot do: its answer contains a secret that is shown only once. */
function refuseIdempotencyKey({ headers }: Sent, { response }: Operation): null {
  const makes = response.kind === "json" && response.status !== 200;
  if (makes && headers["idempotency-key"] !== undefined)
    throw invalid(
      "Idempotency-Key",
      "Idempotency-Key is not accepted here, because the secret in the answer is never shown twice: send the request without this header",
    );
  return null;
}

function readIdempotencyKey(sent: Sent): string | null {
  const field = "Idempotency-Key";
  const key = readOnce(sent, field);
  if (key === null) return null;
  // the key is stored in plain text
  if (holdsKey(key))
    throw invalid(
      field,
      "Idempotency-Key must not contain a trigger's key or an access token, because the header is stored and logged: use another text",
    );
  const { fault } = parseBy(IdempotencyKey, key);
  if (fault !== null) throw invalid(field, `${field} ${fault.predicate}`);
  return key;
}

function readOnce({ headers, rawHeaders }: Sent, name: string): string | null {
  const value = headers[name.toLowerCase()];
  if (value === undefined) return null;
  if (countHeader(rawHeaders, name.toLowerCase()) > 1)
    throw invalid(name, `${name} was given more than once: send it once`);
  return String(value);
}
