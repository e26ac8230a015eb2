import { isApiError } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { pathOfTask } from "./task.ts";

/** Tasks whose names are remembered at once. */
const knownMax = 10_000;

/** Reads the path of each task once, until it is forgotten because the task changed; its id if it was deleted. */
export function createTaskNames(client: Pick<AnyClient, "tasks">) {
  const known = new Map<string, string>();
  return {
    read: async (id: string): Promise<string> => {
      const name = known.get(id) ?? (await readName(id));
      if (known.size >= knownMax) known.clear();
      known.set(id, name);
      return name;
    },
    forget: (id: string): void => void known.delete(id),
  };

  async function readName(id: string): Promise<string> {
    try {
      return pathOfTask(await client.tasks.get(id));
    } catch (error) {
      if (isApiError(error, "not_found")) return id;
      throw error;
    }
  }
}
