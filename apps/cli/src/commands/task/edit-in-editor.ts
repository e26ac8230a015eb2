import { isApiError, type Task } from "@belfry/client";
import type { AnyClient } from "../../any-client.ts";
import { type MergedText, mergeTaskText, readTaskText, writeTaskText } from "../../definitions/task-text.ts";
import { Failure } from "../../failure.ts";
import { findGroupOfTask } from "../../find/group.ts";
import type { Host } from "../../host.ts";
import { editText, type Problem } from "../../input/editor.ts";
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
  let former = task;
  const apply = async (text: string): Promise<void> => {
    const { patch, group } = readTaskText(text, former);
    const group_id = typeof group === "string" ? (await findGroupOfTask(client, group)).id : group;
    const body = { ...patch, ...(group_id === undefined ? {} : { group_id }) };
    if (Object.keys(body).length > 0) changed = await client.tasks.update(task.id, body, { ifMatch: former.revision });
  };
  const merge = async (text: string): Promise<Problem> => {
    const current = await client.tasks.get(task.id);
    const merged = mergeTaskText(text, former, current);
    former = current;
    return { describe: () => describeMerge(merged), onTerminal: describeTheirs(merged), text: merged.text };
  };
  const onKept = (path: string): void => out.note(`The text that you edited is kept in ${path}`);
  await editText({ editor, text: writeTaskText(task), onKept }, host, async (text) => {
    try {
      await apply(text);
      return null;
    } catch (error) {
      if (isApiError(error, "precondition_failed")) return merge(text);
      if (error instanceof SyntaxError) return { describe: (linesAbove) => describeSyntaxError(error, linesAbove) };
      if (error instanceof Failure || (isApiError(error) && error.status < 500))
        return { describe: () => error.message };
      throw error;
    }
  });
  return changed;
}

function describeTheirs({ theirs }: MergedText): string {
  return `Someone else has changed the task meanwhile: ${theirs.join(", ")}`;
}

function describeMerge(merged: MergedText): string {
  return [
    `${describeTheirs(merged)}. Your changes are below, in the task as it is now`,
    ...merged.both.map(
      ({ member, value }) => `You both changed ${member}: your value is below, and the other is ${value}`,
    ),
    "Save the text to apply it, or save an empty file to change nothing",
  ].join("\n");
}

/** The error names a line of the text alone. */
function describeSyntaxError({ message }: SyntaxError, linesAbove: number): string {
  return message
    .replaceAll(/\s+/g, " ")
    .replace(/\bline (\d+)/, (_, line: string) => `line ${Number(line) + linesAbove}`);
}
