import { createHash } from "node:crypto";

/** How long a launch token may be exchanged. */
export const launchTokenMs = 60_000;

/** The oldest session ends when there are more. */
const sessionsMax = 32;
/** Tokens that nobody has used yet. */
const launchesMax = 32;

interface Launch {
  readonly expiresMs: number;
  /** The hash of the session that the token was exchanged for; null while it was not. */
  session: string | null;
}

/**
 * Who may use this server. A launch token becomes one session token, once and soon. Only hashes are kept.
 *
 * A second use of a launch token means that somebody else has seen it. Nobody knows which of the two uses was the
 * person's, so it ends the session of the first.
 */
export class Sessions {
  readonly #now: () => number;
  readonly #launches = new Map<string, Launch>();
  /** Hashes of the session tokens, from the oldest on, with what to do when a session ends. */
  readonly #sessions = new Map<string, AbortController>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Makes a launch token. */
  launch(): string {
    const token = newToken();
    this.#forgetLaunches();
    this.#launches.set(hash(token), { expiresMs: this.#now() + launchTokenMs, session: null });
    return token;
  }

  /** Exchanges a launch token for a session token. Null if the token is unknown, too old or used. */
  exchange(token: string): string | null {
    const launch = this.#launches.get(hash(token));
    if (launch === undefined) return null;
    if (launch.session !== null) {
      this.#end(launch.session);
      return null;
    }
    if (this.#now() >= launch.expiresMs) return null;
    const session = newToken();
    launch.session = hash(session);
    this.#sessions.set(launch.session, new AbortController());
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > sessionsMax && oldest !== undefined) this.#end(oldest);
    return session;
  }

  /** A signal that is aborted when the session ends; null if there is no such session. */
  find(token: string): AbortSignal | null {
    return this.#sessions.get(hash(token))?.signal ?? null;
  }

  end(token: string): void {
    this.#end(hash(token));
  }

  #end(session: string): void {
    this.#sessions.get(session)?.abort();
    this.#sessions.delete(session);
  }

  /** A used token is kept as long as its session, whose end a second use causes. */
  #forgetLaunches(): void {
    for (const [key, { expiresMs, session }] of this.#launches)
      if (session === null ? this.#now() >= expiresMs : !this.#sessions.has(session)) this.#launches.delete(key);
    const [oldest] = [...this.#launches].find(([, { session }]) => session === null) ?? [];
    if (this.#launches.size >= launchesMax + sessionsMax && oldest !== undefined) this.#launches.delete(oldest);
  }
}

/** 256 random bits. */
function newToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
}

/** A look-up by hash takes the same time for every wrong token. */
function hash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
