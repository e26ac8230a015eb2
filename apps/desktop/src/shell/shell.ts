import { ConnectionError, isConnectionError } from "@belfry/client";
import type { Capability } from "@belfry/contract";

/**
 * What is around the screens: a browser with `belfry ui`, or the desktop app. The screens know nothing else of it. Every
 * shell passes the tests in `apps/desktop/tests/shell/any-shell.ts`.
 */
export interface Shell {
  readonly kind: "browser" | "desktop";
  /** The version of the program behind the screens, and the machine on which it runs. */
  readonly about: () => Promise<About>;
  /** All profiles: first the daemon on the shell's own machine, then those on other machines by name. */
  readonly profiles: () => Promise<readonly ShellProfile[]>;
  /** The profile that this window began with or has selected. */
  readonly selected: () => string;
  /** Selects the profile of this window. Other windows keep theirs. */
  readonly select: (name: string) => Promise<ShellProfile>;
  /** Exchanges the phrase of a pairing for a new profile. The phrase is not kept, and the token never reaches the page. */
  readonly enrol: (enrolment: ShellEnrolment) => Promise<ShellProfile>;
  /** Deletes a profile from the shell's machine. Its credential stays valid until somebody revokes it. */
  readonly remove: (name: string) => Promise<{ readonly credentialId: string }>;
  /**
   * The way to the daemon of a profile, as the SDK's `transport`. It stays with its profile, whatever is selected later.
   * Its streams are cancelled by their reader or by the request's signal.
   */
  readonly daemon: (profile: string) => DaemonTransport;
  /** Keeps a small value for this user, on the shell's machine, even if the window is just closing. It is not for secrets. */
  readonly remember: (name: string, value: JsonValue) => Promise<void>;
  /** Deletes a value that was kept. */
  readonly forget: (name: string) => Promise<void>;
  /** Returns all values that were kept. */
  readonly recall: () => Promise<Readonly<Record<string, JsonValue>>>;
  /** Keeps a value for as long as this window has its session, also when it is loaded again. */
  readonly rememberHere: (value: JsonValue) => void;
  /** Returns the value that the window has kept, or null. */
  readonly recallHere: () => JsonValue;
  /** Opens a page elsewhere. Returns false, and opens nothing, unless the address is one of the web (http or https). */
  readonly openLink: (address: string) => boolean;
  /** Calls the listener once, when the shell can do nothing any more. Returns a function that removes it. */
  readonly onEnd: (listener: (reason: ShellError) => void) => () => void;
  /** Ends the session, with its streams. Other windows that share the session end too. */
  readonly close: () => Promise<void>;
}

/** The SDK's `Transport`. `fetch` sends calls and opens streams. */
export interface DaemonTransport {
  readonly baseUrl: string;
  /**
   * Rejects with the SDK's `ConnectionError` if the daemon was not reached, so that nothing was sent. Rejects with any
   * other error if it is unknown what became of the request; the SDK then reports a change as uncertain. That is a
   * `ShellError` with the code `shell_unreachable` if nothing answers between the screens and the daemon. A stream that
   * paused while nobody saw the window, and cannot go on, breaks with a `PausedStreamError`.
   */
  readonly fetch: (request: Request) => Promise<Response>;
}

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

export interface About {
  readonly version: string;
  readonly host: string;
}

export type ShellProfile = LocalProfile | RemoteProfile | UnreadableProfile;

/** The daemon on the shell's own machine. */
export interface LocalProfile {
  readonly name: string;
  readonly kind: "local";
  readonly socket: string;
}

/** A daemon on another machine; without its token. */
export interface RemoteProfile {
  readonly name: string;
  readonly kind: "remote";
  readonly addresses: readonly string[];
  readonly installation_id: string;
  readonly trust: { readonly kind: "root" | "key"; readonly sha256: string };
  /** The capability that the profile expects. */
  readonly capability: Capability;
  readonly credential_id: string;
  readonly actor_id: string;
  readonly store: "keychain" | "file";
}

/** A profile that cannot be read, for example because the keychain is locked. */
export interface UnreadableProfile {
  readonly name: string;
  readonly kind: "remote";
  readonly error: { readonly code: string; readonly message: string };
}

export interface ShellEnrolment {
  readonly invitation: string;
  readonly phrase: string;
  /** Default: the first part of the daemon's host name. */
  readonly name?: string | undefined;
  readonly capability?: Capability | undefined;
  /** The name of the credential on the daemon. Default: the name of the shell's machine. */
  readonly credentialName?: string | undefined;
}

/** Why a shell refused, or could not do, what it was asked. */
export class ShellError extends Error {
  /** `session_ended`: this window needs a new address. Otherwise a code of `belfry --json`, or of the daemon. */
  readonly code: string;
  readonly field: string | null;
  /** What to do, or null. */
  readonly hint: string | null;

  constructor(
    message: string,
    details: {
      readonly code: string;
      readonly field?: string | null | undefined;
      readonly hint?: string | null | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: details.cause });
    this.code = details.code;
    this.field = details.field ?? null;
    this.hint = details.hint ?? null;
  }

  override get name(): string {
    return "ShellError";
  }
}

/**
 * A stream paused, and could not be opened again. Nothing has arrived since `pausedAt`, though the reader took it for open
 * until now. Message and cause are those of the failed opening.
 */
export class PausedStreamError extends ConnectionError {
  readonly pausedAt: number;

  constructor(pausedAt: number, reason: unknown) {
    const { message, cause } = isConnectionError(reason)
      ? reason
      : { message: "The event stream could not be opened again.", cause: reason };
    super(message, { cause });
    this.pausedAt = pausedAt;
  }
}

/** Reads an address of the web; null for every other, such as one that runs a script. */
export function readLink(address: string): URL | null {
  const url = URL.parse(address);
  return url !== null && ["http:", "https:"].includes(url.protocol) ? url : null;
}
