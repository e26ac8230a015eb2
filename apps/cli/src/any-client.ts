import type { Client } from "@belfry/client";
import type { CatalogueOperation } from "@belfry/contract";

type RemoteOperation<O = CatalogueOperation> = O extends { readonly transports: readonly (infer T)[] }
  ? "remote" extends T
    ? O
    : never
  : never;

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;

/** `tasks.run`; besides the operations, the methods that are other forms of one. */
type RemoteMethod =
  | Camel<RemoteOperation["id"]>
  | "runs.outputBytes"
  | "runs.outputText"
  | "runs.outputLines"
  | "audit.exportPage";

/**
 * A client of a daemon on any machine. It lacks the methods whose operations only the daemon's own machine has, so a
 * command that needs one of those compiles only as a local command.
 */
export type AnyClient = {
  readonly [R in keyof Client]: {
    readonly [M in Extract<keyof Client[R], string> as `${R}.${M}` extends RemoteMethod ? M : never]: Client[R][M];
  };
};
