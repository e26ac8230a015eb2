import { AppError, invalid } from "../../kernel/errors/errors.ts";

/** The keys of one kind in the file, with the ids of the created resources. */
export interface Keys {
  readonly set: (key: string, id: string, field: string) => void;
  readonly get: (key: string, field: string) => string;
}

export function createKeys(kind: string): Keys {
  const ids = new Map<string, string>();
  return {
    set: (key, id, field) => {
      if (ids.has(key))
        throw invalid(
          field,
          `the key ${JSON.stringify(key)} is used by two ${kind}s of this file: give each its own key`,
        );
      ids.set(key, id);
    },
    get: (key, field) => {
      const id = ids.get(key);
      if (id === undefined)
        throw invalid(
          field,
          `this file has no ${kind} with the key ${JSON.stringify(key)}: add the ${kind}, or correct the key`,
        );
      return id;
    },
  };
}

/** Runs `work`, and prefixes the field of its error with the item's path: `name` becomes `tasks.3.name`. */
export function within<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError) || error.field?.startsWith(place) === true) throw error;
    throw new AppError(error.code, error.message, {
      field: error.field === null ? place : `${place}.${error.field}`,
      cause: error,
    });
  }
}
