import type { Client } from "@belfry/client";
import type { Argument, LoadedCommand } from "../command.ts";
import { defineCommand } from "../command.ts";

interface Named {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
}

interface ResourceAction<T extends Named> {
  /** `task`, as it precedes a name. */
  readonly noun: string;
  readonly argument: Argument;
  readonly find: (client: Client, typed: string) => Promise<T>;
  /** Returns the changed resource, or nothing if it was deleted. */
  readonly act: (client: Client, item: T) => PromiseLike<T | void>;
  /** `Enabled`. */
  readonly done: string;
  /** The state that leaves nothing to do: `already enabled`. */
  readonly unchanged?: string;
  readonly examples: readonly (readonly [string, string])[];
}

/** A command that performs one action on one resource. */
export function defineAction<T extends Named>(action: ResourceAction<T>): LoadedCommand {
  const { noun, done, unchanged } = action;
  return defineCommand({
    arguments: [action.argument],
    examples: action.examples,
    run: async ({ connect, args: [typed], out }) => {
      const client = await connect();
      const before = await action.find(client, typed);
      const after = (await action.act(client, before)) ?? before;
      const name = JSON.stringify(after.name);
      const isSame = unchanged !== undefined && after !== before && after.revision === before.revision;
      out.answer(after, () => (isSame ? `${capitalize(noun)} ${name} is ${unchanged}` : `${done} ${noun} ${name}`));
    },
  });
}

function capitalize(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}
