import { isApiError, type Task } from "@belfry/client";
import type { AnyClient } from "../../any-client.ts";
import { readTaskText, writeTaskText } from "../../definitions/task-text.ts";
import { Failure } from "../../failure.ts";
import { findGroupOfTask } from "../../find/group.ts";
import type { Host } from "../../host.ts";
import { editText } from "../../input/editor.ts";
import type { Output } from "../../output/output.ts";

interface Editing {
  readonly client: AnyClient;
  readonly task: Task;
  readonly editor: string;
  readonly host: Host;
  readonly out: Output;
}

/** Changes a task in an editor. Returns null if the user has changed nothing. */
export async function editInEditor({ client, task, editor, host, out }: Editing): Promise<Task | null> {
  let changed: Task | null = null;
  const apply = async (text: string): Promise<void> => {
    const { patch, group } = readTaskText(text, task);
    const group_id = typeof group === "string" ? (await findGroupOfTask(client, group)).id : group;
    const body = { ...patch, ...(group_id === undefined ? {} : { group_id }) };
    if (Object.keys(body).length > 0) changed = await client.tasks.update(task.id, body, { ifMatch: task.revision });
  };
  const onKept = (path: string): void => out.note(`The text that you edited is kept in ${path}`);
  await editText({ editor, text: writeTaskText(task), onKept }, host, async (text) => {
    try {
      await apply(text);
      return null;
    } catch (error) {
      // the user cannot correct these in the text
      if (isApiError(error, "precondition_failed")) throw error;
      if (error instanceof SyntaxError || error instanceof Failure) return error.message;
      if (isApiError(error) && error.status < 500) return error.message;
      throw error;
    }
  });
  return changed;
}
