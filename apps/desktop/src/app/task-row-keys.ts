import { useNavigate } from "@tanstack/react-router";
import { useGrant } from "../data/grant.ts";
import { focusOfPage } from "./keep-focus.ts";
import { useKeys } from "./keys.ts";

/** The keys of the task whose row has the focus: `r` asks whether to run it, `e` edits it. */
export function useTaskRowKeys(askToRun: (taskId: string) => void): void {
  const { may } = useGrant();
  const navigate = useNavigate();
  const works = (): boolean => focusedTask() !== null;
  const withTask = (act: (taskId: string) => void) => (): void => {
    const taskId = focusedTask();
    if (taskId !== null) act(taskId);
  };
  const edit = (taskId: string): void => void navigate({ to: "/tasks/$taskId/edit", params: { taskId } });
  useKeys([
    may("operate") ? { key: "r", text: "Run the task under the focus", act: withTask(askToRun), works } : null,
    may("manage") ? { key: "e", text: "Edit the task under the focus", act: withTask(edit), works } : null,
  ]);
}

/** A row, or what is in it, names its task in `data-task`. */
function focusedTask(): string | null {
  const row = focusOfPage()?.closest("[data-row], [data-task]") ?? null;
  const named = row?.matches("[data-task]") === true ? row : row?.querySelector("[data-task]");
  return named?.getAttribute("data-task") ?? null;
}
