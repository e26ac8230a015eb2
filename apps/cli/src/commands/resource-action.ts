import type { Client } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { type Argument, defineCommand, defineLocalCommand, type Definition, type LoadedCommand } from "../command.ts";

interface Named {
  readonly id: string;
  readonly name: string;
  /** Of a schedule, whose name is often the same in many tasks. */
  readonly task_name?: string;
  readonly revision: number;
}

interface ResourceAction<T extends Named, C> {
  /** `task`, as it precedes a name. */
  readonly noun: string;
  readonly argument: Argument;
  readonly find: (client: AnyClient, typed: string) => Promise<T>;
  /** Returns the changed resource, or nothing if it was deleted. */
  readonly act: (client: C, item: T) => PromiseLike<T | void>;
  /** `Enabled`. */
  readonly done: string;
  /** What the action takes away besides the resource, as a hint that follows; null if nothing. Asked for before the action. */
  readonly goesWith?: (client: C, item: T) => Promise<string | null>;
  /** The state that leaves nothing to do: `already enabled`. */
  readonly unchanged?: string;
  readonly examples: readonly (readonly [string, string])[];
}

/** A command that performs one action on one or more resources. */
export function defineAction<T extends Named>(action: ResourceAction<T, AnyClient>): LoadedCommand {
  return defineCommand(definitionOf(action));
}

/** The same for an action that only the daemon's own machine allows. */
export function defineLocalAction<T extends Named>(action: ResourceAction<T, Client>): LoadedCommand {
  return defineLocalCommand(definitionOf(action));
}

type Names = Argument & { readonly isMany: true };

function definitionOf<T extends Named, C extends AnyClient>(
  action: ResourceAction<T, C>,
): Definition<readonly [Names], Readonly<Record<string, never>>, C> {
  return {
    arguments: [{ ...action.argument, isMany: true }],
    examples: action.examples,
    run: async ({ connect, args: [typed], out }) => {
      const client = await connect();
      const found = new Map<string, T>();
      // all of them before the first change: a mistyped name changes nothing
      for (const name of typed) {
        const item = await action.find(client, name);
        found.set(item.id, item);
      }
      const changed: T[] = [];
      const lines: string[] = [];
      try {
        for (const before of found.values()) {
          const lost = out.json ? null : ((await action.goesWith?.(client, before)) ?? null);
          const after = (await action.act(client, before)) ?? before;
          changed.push(after);
          lines.push(describe(action, before, after) + (lost === null ? "" : `. ${out.hint(lost)}`));
        }
      } finally {
        // printed after the last action: `| head -1` ends this process at the second line
        if (!out.json) for (const line of lines) out.answer(null, () => line);
      }
      if (out.json) out.answer(typed.length === 1 ? changed[0] : changed, () => "");
    },
  };
}

function describe<T extends Named>(
  { noun, done, unchanged }: Pick<ResourceAction<T, never>, "noun" | "done" | "unchanged">,
  before: T,
  after: T,
): string {
  const name = `${JSON.stringify(after.name)}${after.task_name === undefined ? "" : ` of task ${JSON.stringify(after.task_name)}`}`;
  const isSame = unchanged !== undefined && after !== before && after.revision === before.revision;
  return isSame ? `${capitalize(noun)} ${name} is ${unchanged}` : `${done} ${noun} ${name}`;
}

function capitalize(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}
