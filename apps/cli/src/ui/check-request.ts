import type { IncomingMessage } from "node:http";
import { Refusal } from "./answer.ts";
import { sessionHeader } from "./names.ts";
import type { Sessions } from "./sessions.ts";

const targetCharactersMax = 8 * 1024;

/** The path and the query of a request. */
export interface Target {
  readonly path: string;
  /** With its question mark, or empty. */
  readonly search: string;
}

/**
 * Refuses a request whose host is not exactly this server's address. A name that an attacker points at 127.0.0.1 would
 * otherwise make the attacker's page a page of this origin.
 */
export function checkHost(request: IncomingMessage, authority: string): void {
  if (single(request, "host") === authority) return;
  throw new Refusal(421, "wrong_host", {
    message: `the address of the screens is http://${authority}/, and this request names another host`,
    hint: `Open http://${authority}/. Over ssh, forward a port of the same number`,
  });
}

/** Reads the target. The path is one that no two programs read differently: plain segments, and no encoded separators. */
export function readTarget({ url = "" }: IncomingMessage): Target {
  const [path = "", ...rest] = url.split("?");
  const search = rest.length === 0 ? "" : `?${rest.join("?")}`;
  const isPlain =
    url.length <= targetCharactersMax &&
    /^\/[\x21-\x7e]*$/.test(url) &&
    !/[\\#]|\/\/|%(?:2f|5c|2e|25|00|[01][0-9a-f]|7f)/i.test(path) &&
    !/(?:^|\/)\.{1,2}(?:\/|$)/.test(path);
  if (isPlain) return { path, search };
  throw new Refusal(400, "validation_failed", { message: "the path of the request is not a plain absolute path" });
}

/**
 * Refuses what a page of another origin sends, another port of this machine included. Programs that are no browsers send
 * none of these headers; for them, the session decides.
 */
export function checkSameOrigin(request: IncomingMessage, authority: string): void {
  const origin = single(request, "origin");
  const site = single(request, "sec-fetch-site");
  const isSame = (origin === null || origin === `http://${authority}`) && (site === null || site === "same-origin");
  if (isSame) return;
  throw new Refusal(403, "origin_rejected", { message: "the request comes from a page of another origin" });
}

/** Refuses a file to a page of another origin, and every page to a frame. */
export function checkEmbedding(request: IncomingMessage, authority: string): void {
  const destination = single(request, "sec-fetch-dest") ?? "";
  if (/^(?:i?frame|fencedframe|embed|object)$/.test(destination))
    throw new Refusal(403, "origin_rejected", { message: "the screens cannot be shown inside another page" });
  const isVisit = single(request, "sec-fetch-mode") === "navigate" && destination === "document";
  if (!isVisit && single(request, "sec-fetch-site") !== "none") checkSameOrigin(request, authority);
}

/**
 * Returns the token and the signal of the session that a request belongs to. A session may end while a body arrives, so a
 * request with a body asks before it and after it.
 */
export function requireSession(
  request: IncomingMessage,
  sessions: Sessions,
): { readonly token: string; readonly ended: AbortSignal } {
  const token = single(request, sessionHeader);
  const ended = token === null ? null : sessions.find(token);
  if (token !== null && ended !== null) return { token, ended };
  throw noSession();
}

export function noSession(): Refusal {
  return new Refusal(401, "session_ended", {
    message: "this page has no session, or its session has ended",
    hint: "Press Enter in the terminal where belfry ui runs, or start it again",
  });
}

/** A header that may occur once; null if it is absent. */
export function single(request: IncomingMessage, name: string): string | null {
  const values = request.headersDistinct[name.toLowerCase()] ?? [];
  if (values.length <= 1) return values[0] ?? null;
  throw new Refusal(400, "validation_failed", { message: `the header ${name} occurs more than once` });
}
