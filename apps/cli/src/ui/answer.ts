import type { IncomingMessage, ServerResponse } from "node:http";
import { errorHeader } from "./names.ts";

/** The headers of every answer. */
const common = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
} as const;

/** Data is never a page: whatever a daemon sends, a browser neither shows it on this origin nor runs anything in it. */
const dataPolicy = "sandbox; default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

type Headers = Readonly<Record<string, string>>;

export function dataHeaders(type: string | null): Headers {
  return {
    ...common,
    "Content-Security-Policy": dataPolicy,
    "Cache-Control": "no-store",
    ...(type === null ? {} : { "Content-Type": type }),
  };
}

/** The headers of the page. Its scripts come from this server; its styles may also be elements with this nonce. */
export function pageHeaders(nonce: string): Headers {
  return {
    ...common,
    "Content-Security-Policy": [
      "default-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "object-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ].join("; "),
    "Cache-Control": "no-store",
    "Content-Type": "text/html; charset=utf-8",
  };
}

/** Scripts, styles and images, which are also never pages. */
export function fileHeaders(type: string, isHashed: boolean): Headers {
  return {
    ...dataHeaders(type),
    "Cache-Control": isHashed ? "private, max-age=31536000, immutable" : "no-cache",
  };
}

/** The form of the codes of the API. A daemon on another machine may answer with any text, and a code becomes a header. */
const codeForm = /^[a-z][a-z0-9_]{0,63}$/;

/** Why this server refuses a request itself. Its answer has the form of the daemon's errors. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | null;
  /** What to do, in a sentence of its own. */
  readonly hint: string | null;

  constructor(
    status: number,
    code: string,
    details: { readonly message: string; readonly field?: string | null; readonly hint?: string | null },
  ) {
    super(details.message);
    this.name = "Refusal";
    this.status = status;
    this.code = codeForm.test(code) ? code : "malformed_answer";
    this.field = details.field ?? null;
    this.hint = details.hint ?? null;
  }
}

export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  const length = { "Content-Length": String(Buffer.byteLength(text)) };
  response.writeHead(status, { ...dataHeaders("application/json"), ...length }).end(text);
}

export function answerEmpty(response: ServerResponse): void {
  response.writeHead(204, dataHeaders(null)).end();
}

export function answerRefusal(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const { status, code, field, message, hint } = refusal;
  response.setHeader(errorHeader, code);
  // the rest of an unread body would otherwise be read as the next request, or for ever
  if (!request.complete) response.setHeader("Connection", "close");
  answerJson(response, status, { error: { code, field, message, hint } });
}
