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
 * Rejects, before any routing, a browser's request and a request without exactly one Host. A browser sends Origin,
 * Referer or Sec-Fetch-Site, and for a typed address the Sec-Fetch-Mode `navigate`. Another Sec-Fetch-Mode alone comes
 * from Node's own fetch.
 */
export function refusalBeforeRouting(incoming: IncomingMessage, version: string): EdgeRefusal | null {
  const { headers } = incoming;
  const site = headers["sec-fetch-site"];
  const isNavigation = headers["sec-fetch-mode"] === "navigate";
  const isFromPage = site !== undefined && site !== "none";
  if (headers.origin !== undefined || headers.referer !== undefined || isFromPage || isNavigation) {
    return refusal(
      "origin_rejected",
      "this API does not accept requests from browsers: use a program that is not a browser",
      { version },
    );
  }
  if (headers.host === undefined)
    return refusal("validation_failed", "the request has no Host header: send exactly one", { version, field: "Host" });
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") {
    return refusal(
      "validation_failed",
      "the Expect header must be 100-continue: send that value, or no Expect header",
      {
        version,
        field: "Expect",
      },
    );
  }
  if (countHeader(incoming.rawHeaders, "host") > 1) {
    return refusal("validation_failed", "the request has more than one Host header: send exactly one", {
      version,
      field: "Host",
    });
  }
  return null;
}

/** Rejects a request that Node's parser rejected. */
export function refusalOfParser(code: string, version: string): EdgeRefusal {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return refusal(
        "headers_too_large",
        "the address and the headers are too large together: shorten the address, or send fewer or shorter headers",
        { version },
      );
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return refusal("request_timeout", "the request did not arrive completely in time: send it again", { version });
    case "CONNECT":
      return refusal("method_not_allowed", "this server is not a proxy: send the request directly, without CONNECT", {
        version,
      });
    default:
      return refusal("validation_failed", "the request is not valid HTTP/1.1", { version });
  }
}

/** Rejects a target or a Host header that is not valid in a URL. */
export function refusalOfTarget(version: string): EdgeRefusal {
  return refusal(
    "validation_failed",
    "the request's target or its Host header is malformed: send a valid URL and host",
    { version },
  );
}

/** Answers a request that failed with an unexpected error, which is in the log. */
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
