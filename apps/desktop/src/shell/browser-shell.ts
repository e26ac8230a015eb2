import { ConnectionError } from "@belfry/client";
import {
  apiPath,
  errorHeader,
  keptKey,
  profileHeader,
  profileKey,
  sessionHeader,
  sessionKey,
  tokenFragment,
} from "./browser-names.ts";
import { type BrowserPage, thisPage } from "./browser-page.ts";
import { openPausingStream } from "./pausing-stream.ts";
import { askForSession, shareSession } from "./share-session.ts";
import {
  type About,
  type DaemonTransport,
  type JsonValue,
  readLink,
  type Shell,
  ShellError,
  type ShellProfile,
} from "./shell.ts";

interface Answered {
  readonly about: About & { readonly selected: string };
  readonly preferences: { readonly preferences: Readonly<Record<string, JsonValue>> };
  readonly profile: ShellProfile;
  readonly profiles: { readonly profiles: readonly ShellProfile[] };
  readonly removed: { readonly credential_id: string };
  readonly session: { readonly session: string };
}

/**
 * Opens the shell of `belfry ui`. The address of a new tab has a launch token, which is taken out of it at once and
 * exchanged for a session; a tab that is loaded again has its session in its storage, and a further tab gets it from the
 * one that it was opened from, with the profile.
 *
 * @throws {ShellError} `session_ended`: the tab has neither
 */
export async function openBrowserShell(page: BrowserPage = thisPage()): Promise<Shell> {
  const session = await findSession(page);
  const shell = new BrowserShell(page, session);
  await shell.begin();
  return shell;
}

async function findSession(page: BrowserPage): Promise<string> {
  const { fetch, history, location, sessionStorage } = page;
  const launch = new URLSearchParams(location.hash.slice(1)).get(tokenFragment);
  if (launch !== null) {
    // first of all, so that nothing else can read it, keep it or show it
    history.replaceState(null, "", location.pathname + location.search);
    sessionStorage.removeItem(sessionKey);
    sessionStorage.removeItem(keptKey);
    const answer = await reach(
      fetch(`${location.origin}/shell/session`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token: launch }),
      }),
    );
    if (!answer.ok) throw await readError(answer);
    const { session } = (await answer.json()) as Answered["session"];
    sessionStorage.setItem(sessionKey, session);
    return session;
  }
  const kept = sessionStorage.getItem(sessionKey);
  if (kept !== null) return kept;
  const shared = await askForSession(page);
  if (shared !== null) {
    sessionStorage.setItem(sessionKey, shared.session);
    // the other tab's links and acts mean its own daemon
    if (sessionStorage.getItem(profileKey) === null) sessionStorage.setItem(profileKey, shared.profile);
    return shared.session;
  }
  throw new ShellError("This tab has no session.", {
    code: "session_ended",
    hint: "Press Enter in the terminal where belfry ui runs, or start it again.",
  });
}

class BrowserShell implements Shell {
  readonly kind = "browser";
  readonly #page: BrowserPage;
  readonly #session: string;
  readonly #ended = new AbortController();
  #selected = "local";

  constructor(page: BrowserPage, session: string) {
    this.#page = page;
    this.#session = session;
  }

  async begin(): Promise<void> {
    const { selected } = await this.#call<"about">("GET", "/about");
    this.#selected = this.#page.sessionStorage.getItem(profileKey) ?? selected;
    const stop = shareSession(this.#page, () => ({ session: this.#session, profile: this.#selected }));
    this.#ended.signal.addEventListener("abort", stop);
  }

  readonly about = async (): Promise<About> => {
    const { host, version } = await this.#call<"about">("GET", "/about");
    return { host, version };
  };

  readonly profiles = async (): Promise<readonly ShellProfile[]> =>
    (await this.#call<"profiles">("GET", "/profiles")).profiles;

  readonly selected = (): string => this.#selected;

  readonly select = async (name: string): Promise<ShellProfile> => {
    const profile = await this.#call<"profile">("POST", `/profiles/${encodeURIComponent(name)}/select`);
    this.#selected = profile.name;
    this.#page.sessionStorage.setItem(profileKey, profile.name);
    return profile;
  };

  readonly enrol: Shell["enrol"] = ({ credentialName, ...enrolment }) =>
    this.#call<"profile">("POST", "/profiles", { ...enrolment, credential_name: credentialName });

  readonly remove: Shell["remove"] = async (name) => {
    const { credential_id: credentialId } = await this.#call<"removed">(
      "DELETE",
      `/profiles/${encodeURIComponent(name)}`,
    );
    if (this.#selected === name) {
      this.#selected = "local";
      this.#page.sessionStorage.removeItem(profileKey);
    }
    return { credentialId };
  };

  readonly daemon = (profile: string): DaemonTransport => ({
    baseUrl: this.#page.location.origin + apiPath,
    fetch: (request) => {
      const signal = AbortSignal.any([request.signal, this.#ended.signal]);
      if (request.headers.get("accept")?.includes("text/event-stream") !== true)
        return this.#send(request, profile, signal);
      const open = (until: AbortSignal) => this.#send(request, profile, until);
      return openPausingStream({ open, signal, visibility: this.#page });
    },
  });

  readonly remember = async (name: string, value: JsonValue): Promise<void> => {
    await this.#call("PUT", `/preferences/${encodeURIComponent(name)}`, value);
  };

  readonly forget = async (name: string): Promise<void> => {
    await this.#call("DELETE", `/preferences/${encodeURIComponent(name)}`);
  };

  readonly recall: Shell["recall"] = async () => (await this.#call<"preferences">("GET", "/preferences")).preferences;

  readonly rememberHere = (value: JsonValue): void => {
    this.#page.sessionStorage.setItem(keptKey, JSON.stringify(value));
  };

  readonly recallHere = (): JsonValue => JSON.parse(this.#page.sessionStorage.getItem(keptKey) ?? "null") as JsonValue;

  readonly openLink = (address: string): boolean => {
    const url = readLink(address);
    if (url !== null) this.#page.open(url.href, "_blank", "noopener,noreferrer");
    return url !== null;
  };

  readonly onEnd: Shell["onEnd"] = (listener) => {
    const { signal } = this.#ended;
    const tell = (): void => listener(signal.reason as ShellError);
    if (signal.aborted) tell();
    signal.addEventListener("abort", tell, { once: true });
    return () => signal.removeEventListener("abort", tell);
  };

  readonly close = async (): Promise<void> => {
    if (this.#ended.signal.aborted) return;
    await this.#call("DELETE", "/session").catch(() => {});
    this.#end(new ShellError("The screens were closed.", { code: "closed" }));
  };

  /** Sends a request to the daemon of a profile. A stream sends it again after a pause; it has no body. */
  async #send(request: Request, profile: string, signal: AbortSignal): Promise<Response> {
    const headers = new Headers(request.headers);
    headers.set(profileHeader, profile);
    headers.set(sessionHeader, this.#session);
    // with an own body, because a page may not stream one over HTTP/1.1
    const body = request.body === null ? null : await request.arrayBuffer();
    const answer = await this.#page
      .fetch(request.url, { method: request.method, headers, signal, ...standing, ...(body === null ? {} : { body }) })
      .catch(async (error: unknown) => {
        // the failure does not say whether the daemon is away, or all of belfry ui
        if (!signal.aborted) await this.about();
        throw error;
      });
    const code = answer.headers.get(errorHeader);
    if (code === "session_ended") this.#end(await readError(answer.clone()));
    if (code === "uncertain") throw await readError(answer);
    // the SDK's error says that nothing was sent
    if (code === "unreachable") throw new ConnectionError((await readError(answer)).message);
    return answer;
  }

  #end(reason: ShellError): void {
    if (this.#ended.signal.aborted) return;
    this.#page.sessionStorage.removeItem(sessionKey);
    this.#page.sessionStorage.removeItem(keptKey);
    this.#ended.abort(reason);
  }

  /** Calls an endpoint of `belfry ui` itself. */
  async #call<A extends keyof Answered>(method: string, path: string, body?: unknown): Promise<Answered[A]> {
    const answer = await reach(
      this.#page.fetch(`${this.#page.location.origin}/shell${path}`, {
        method,
        headers: {
          [sessionHeader]: this.#session,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...standing,
        // a browser drops what a closing tab has just begun, unless it is told to keep it
        keepalive: method === "PUT",
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    if (!answer.ok) {
      const error = await readError(answer);
      if (error.code === "session_ended") this.#end(error);
      throw error;
    }
    // only an answer without a body has no type, and its caller reads none
    return (answer.status === 204 ? undefined : await answer.json()) as Answered[A];
  }
}

/** Nothing of a browser's own is sent, kept or followed. */
const standing = { cache: "no-store", credentials: "omit", redirect: "error" } as const;

async function reach(answer: Promise<Response>): Promise<Response> {
  try {
    return await answer;
  } catch (cause) {
    throw new ShellError("This page gets no answer from belfry ui.", {
      code: "shell_unreachable",
      hint: "If it has ended, start it again: it opens a new page.",
      cause,
    });
  }
}

async function readError(answer: Response): Promise<ShellError> {
  const fallback = { code: `http_${answer.status}`, message: `belfry ui answered HTTP ${answer.status}.` };
  const { error } = (await answer.json().catch(() => ({}))) as {
    readonly error?: {
      readonly code: string;
      readonly message: string;
      readonly field?: string | null;
      readonly hint?: string | null;
    };
  };
  const { message, ...details } = error ?? fallback;
  return new ShellError(message, details);
}
