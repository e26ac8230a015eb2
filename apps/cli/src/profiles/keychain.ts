import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";

/** The secret store of the operating system, by account. */
export interface Keychain {
  readonly read: (account: string) => Promise<string | null>;
  readonly write: (account: string, secret: string) => Promise<void>;
  /** Returns false if there was no such account. */
  readonly remove: (account: string) => Promise<boolean>;
}

const service = "belfry";

/**
 * On Linux, only a secret service counts as a keychain. The library's default would also accept the kernel's keyring,
 * which loses everything at a reboot without an error.
 */
const options = { linux: { store: "secret-service" } } as const;

/** The keychain of the user who runs this command. Each function throws a `KeychainFailure` if there is none, or if it is locked. */
export const systemKeychain: Keychain = {
  read: (account) => withEntry(account, (entry) => entry.getPassword()),
  write: (account, secret) => withEntry(account, (entry) => entry.setPassword(secret)),
  remove: (account) => withEntry(account, (entry) => entry.deletePassword()),
};

/** The keychain did not answer. */
export class KeychainFailure extends Failure {
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(exitCodes.refused, `the keychain of this system cannot be used: ${reason}`, {
      hint: "Unlock the keychain, and run the command in the same desktop session",
    });
  }
}

type Entry = import("@napi-rs/keyring").AsyncEntry;

/** The library is native, and it is loaded only by commands that use the keychain. It talks to the same stores on all systems. */
async function withEntry<T>(account: string, use: (entry: Entry) => Promise<T>): Promise<T> {
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    return await use(new AsyncEntry(service, account, options));
  } catch (error) {
    throw new KeychainFailure(error);
  }
}
