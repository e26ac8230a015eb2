import type { Sealing } from "./secrets.ts";

/** The environment columns of a row: names in plain text, everything else encrypted. */
export interface EnvironmentColumns {
  readonly environmentNames: readonly string[];
  readonly environmentSealed: Buffer | null;
}

export type Environment = Readonly<Record<string, string>>;

/** Environments of groups and tasks: write-only, each sealed to its own resource. */
export interface SealedEnvironments {
  readonly sealNew: (kind: "group" | "task", id: string, environment: Environment) => EnvironmentColumns;
  readonly open: (kind: "group" | "task", row: EnvironmentColumns & { readonly id: string }) => Environment;
  /**
   * Merges by name; null removes a variable. Returns no columns if nothing changes, because a fresh seal would look
   * like a change.
   */
  readonly merge: (
    kind: "group" | "task",
    row: EnvironmentColumns & { readonly id: string },
    patch: Readonly<Record<string, string | null>>,
  ) => Partial<EnvironmentColumns>;
}

export function createSealedEnvironments(sealing: Sealing): SealedEnvironments {
  const contextOf = (kind: string, id: string): string => `${kind}:${id}:environment`;
  const sealNew: SealedEnvironments["sealNew"] = (kind, id, environment) => {
    const names = Object.keys(environment).sort();
    if (names.length === 0) return { environmentNames: [], environmentSealed: null };
    return {
      environmentNames: names,
      environmentSealed: sealing.seal(JSON.stringify(environment), contextOf(kind, id)),
    };
  };
  const open: SealedEnvironments["open"] = (kind, row) =>
    // written by `sealNew` and authenticated by the seal
    row.environmentSealed === null
      ? {}
      : (JSON.parse(sealing.open(row.environmentSealed, contextOf(kind, row.id))) as Environment);
  return {
    sealNew,
    open,
    merge: (kind, row, patch) => {
      const before = open(kind, row);
      const after: Record<string, string> = { ...before };
      for (const [name, value] of Object.entries(patch)) {
        if (value === null) delete after[name];
        else after[name] = value;
      }
      const names = new Set([...Object.keys(before), ...Object.keys(after)]);
      if ([...names].every((name) => before[name] === after[name])) return {};
      return sealNew(kind, row.id, after);
    },
  };
}
