import { type ErrorCode, errorStatus } from "@belfry/contract";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import { newId } from "../../kernel/ids.ts";
import { commonHeaders, envelopeOf } from "./envelope.ts";
import { countHeader } from "./raw-headers.ts";

export interface EdgeRefusal {
  readonly status: number;
  readonly phrase: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * What is refused before any route is looked for: a browser's request, and one without exactly one Host. A browser names
 * itself by Origin, Referer or Sec-Fetch-Site; Sec-Fetch-Mode alone is Node's own fetch.
 */
export function refusalBeforeRouting(incoming: IncomingMessage, version: string): EdgeRefusal | null {
  const { headers } = incoming;
  const site = headers["sec-fetch-site"];
  if (headers.origin !== undefined || headers.referer !== undefined || (site !== undefined && site !== "none")) {
    return refusal("origin_rejected", "this API does not accept requests from browsers", { version });
  }
  if (headers.host === undefined)
    return refusal("validation_failed", "the request has no Host header", { version, field: "Host" });
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") {
    return refusal("validation_failed", "Expect must be 100-continue", { version, field: "Expect" });
  }
  if (countHeader(incoming.rawHeaders, "host") > 1) {
    return refusal("validation_failed", "the request has more than one Host header", { version, field: "Host" });
  }
  return null;
}

/** A request that Node's parser rejected. */
export function refusalOfParser(code: string, version: string): EdgeRefusal {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return refusal("headers_too_large", "the headers are too large", { version });
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return refusal("request_timeout", "the request did not arrive in time", { version });
    case "CONNECT":
      return refusal("method_not_allowed", "this server is not a proxy: send the request with its own method", {
        version,
      });
    default:
      return refusal("validation_failed", "the request is not valid HTTP/1.1", { version });
  }
}

/** A target or a Host header that is not valid in a URL. */
export function refusalOfTarget(version: string): EdgeRefusal {
  return refusal("validation_failed", "the request's target or its Host header is malformed", { version });
}

/** An unexpected error, which the log has. */
export function refusalOfFailure(version: string, requestId: string): EdgeRefusal {
  const message = `the daemon failed to handle the request: see request ${requestId} in the daemon's log`;
  return refusal("internal", message, { version, requestId });
}

function refusal(
  code: ErrorCode,
  message: string,
  of: { readonly version: string; readonly field?: string; readonly requestId?: string },
): EdgeRefusal {
  const body = JSON.stringify(envelopeOf(code, message, of.field));
  const status = errorStatus[code];
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    ...commonHeaders(of.requestId ?? newId("req"), of.version),
  };
  return { status, phrase: STATUS_CODES[status] ?? "", headers, body };
}
