import type { Transport } from "@belfry/client";
import { localTransport } from "@belfry/client/local";
import { profileTransport } from "@belfry/client/remote";
import { statSync } from "node:fs";
import { socketPathsFor } from "../connect.ts";
import type { Context } from "../context.ts";
import { asWritten } from "../output/hints.ts";
import { readTokenFile } from "../profiles/connect-profile.ts";
import { localName } from "../profiles/profile-name.ts";
import { profilePath, readProfile } from "../profiles/profile-store.ts";

export type LinkParts = Pick<Context, "host" | "location" | "out" | "timeoutMs"> & {
  /** The profile that the command was started with. */
  readonly initial: string;
};

/** The way to one daemon. */
export interface DaemonLink {
  readonly kind: "local" | "remote";
  readonly transport: Transport;
}

interface Opened {
  readonly stamp: string;
  readonly link: Promise<DaemonLink & { readonly close: () => void }>;
}

/** The connections to the daemons of all profiles, each opened at its first use. */
export class DaemonLinks implements Disposable {
  readonly #parts: LinkParts;
  readonly #local: DaemonLink;
  readonly #opened = new Map<string, Opened>();

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#local = { kind: "local", transport: localTransport(() => socketPathsFor(parts.location, parts.host)) };
  }

  /** Another command may have removed or replaced the profile, so its file is looked at each time. */
  async open(name: string): Promise<DaemonLink> {
    if (name === localName) return this.#local;
    const stamp = stampOf(profilePath(name, this.#parts.host));
    const known = this.#opened.get(name);
    if (known !== undefined && known.stamp === stamp) return known.link;
    this.forget(name);
    const opened: Opened = { stamp, link: this.#connect(name) };
    this.#opened.set(name, opened);
    // a keychain may be unlocked later
    opened.link.catch(() => {
      if (this.#opened.get(name) === opened) this.#opened.delete(name);
    });
    return opened.link;
  }

  /** Closes the connections of a profile. */
  forget(name: string): void {
    this.#opened.get(name)?.link.then(
      ({ close }) => close(),
      () => {},
    );
    this.#opened.delete(name);
  }

  [Symbol.dispose](): void {
    for (const name of this.#opened.keys()) this.forget(name);
  }

  async #connect(name: string): Promise<DaemonLink & { readonly close: () => void }> {
    const { host, initial, out, timeoutMs } = this.#parts;
    const { profile } = await readProfile(name, host);
    // the environment names the token of one daemon, which no other may get
    const given = name === initial ? await readTokenFile(host) : undefined;
    const transport = profileTransport(
      { ...profile, accessToken: given ?? profile.accessToken },
      {
        onUntrustedAddress: (error) => out.note(asWritten(`Warning: ${error.message}`)),
        ...(timeoutMs === null ? {} : { connectTimeoutMs: timeoutMs }),
      },
    );
    return { kind: "remote", transport, close: transport.close };
  }
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "none" : `${stats.ino} ${stats.mtimeMs}`;
}
