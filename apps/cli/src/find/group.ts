import type { Group } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import { quoteName } from "../output/hints.ts";
import { find, type ResourceKind } from "./find.ts";

/** Finds the group that a task is added to. Unlike other groups, it may be one that the user has yet to add. */
export async function findGroupOfTask(client: AnyClient, typed: string): Promise<Group> {
  try {
    return await findGroup(client, typed);
  } catch (error) {
    if (!(error instanceof Failure) || error.exitCode !== exitCodes.notFound) throw error;
    const hint = `${error.hint}\nOr add the group first: belfry group add ${quoteName(typed)}`;
    throw new Failure(error.exitCode, error.message, { hint });
  }
}

export function groupKind(client: AnyClient): ResourceKind<Group> {
  return {
    noun: "group",
    idPrefix: "grp",
    get: (id) => client.groups.get(id),
    search: (part) => client.groups.list(part === null ? {} : { q: part }),
    // no two groups share a name
    pathOf: (group) => group.name,
  };
}

export function findGroup(client: AnyClient, typed: string): Promise<Group> {
  return find(groupKind(client), typed);
}
