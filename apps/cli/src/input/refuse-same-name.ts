import { usage } from "../failure.ts";

interface Entries {
  /** The option that sets entries, and the entries by name. */
  readonly set: readonly [option: string, entries: Readonly<Record<string, unknown>> | undefined];
  /** The option that removes entries, and their names. */
  readonly removed: readonly [option: string, names: readonly string[] | undefined];
}

/** Refuses to set and remove the same entry: one of both would do nothing. */
export function refuseSameName({ set: [setting, entries = {}], removed: [removing, names = []] }: Entries): void {
  const both = names.find((name) => Object.hasOwn(entries, name));
  if (both !== undefined)
    throw usage(
      `${setting} and ${removing} cannot be combined for the same name ${JSON.stringify(both)}. Use one of them`,
    );
}
