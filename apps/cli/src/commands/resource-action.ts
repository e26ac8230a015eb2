import type { Client } from "@belfry/client";
import type { Argument, LoadedCommand } from "../command.ts";
import { defineCommand } from "../command.ts";

interface Named {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
}

interface ResourceAction<T extends Named> {
  readonly argument: Argument;
  readonly find: (client: Client, typed: string) => Promise<T>;
  /** Answers the resource as it is now; nothing when it is gone. */
  readonly act: (client: Client, item: T) => PromiseLike<T | void>;
  /** `Enabled the task "x"`. */
  readonly done: (item: T) => string;
  readonly examples: readonly (readonly [string, string])[];
}

/** The commands that do one thing to one resource. */
export function defineAction<T extends Named>(action: ResourceAction<T>): LoadedCommand {
  return defineCommand({
    arguments: [action.argument],
    examples: action.examples,
    run: async ({ connect, args: [typed], out }) => {
      const client = await connect();
      const before = await action.find(client, typed);
      const after = (await action.act(client, before)) ?? before;
      const isSame = after !== before && after.revision === before.revision;
      out.answer(after, () => `${action.done(after)}${isSame ? " (it was so already)" : ""}`);
    },
  });
}
