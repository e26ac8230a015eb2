import { type Group, isApiError } from "@belfry/client";
import type { AnyClient } from "../../any-client.ts";
import { argument } from "../../arguments.ts";
import { exitCodes } from "../../exit-codes.ts";
import { Failure } from "../../failure.ts";
import { findGroup } from "../../find/group.ts";
import { quoteForShell } from "../../output/hints.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "group",
  argument: argument.group,
  find: findGroup,
  act: deleteGroup,
  done: "Deleted",
  examples: [["belfry group delete Backups", "delete a group that contains no tasks and no subgroups"]],
});

async function deleteGroup(client: AnyClient, { id, name }: Group): Promise<void> {
  try {
    await client.groups.delete(id);
  } catch (error) {
    if (!isApiError(error, "conflict")) throw error;
    const hint = `See what is in it with: belfry task list --group ${quoteForShell(name)}`;
    throw new Failure(exitCodes.failed, error.message, { code: error.code, hint });
  }
}
