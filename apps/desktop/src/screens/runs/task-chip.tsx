import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { isNotFound } from "../../data/errors.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";

export interface TaskChipProps {
  readonly taskId: string;
  /** The name that a run of the task has, for a task that was deleted. */
  readonly formerName: string | undefined;
  readonly onRemove: () => void;
}

/** The task whose runs alone are shown. It is chosen elsewhere, and taken away here. */
export function TaskChip({ taskId, formerName, onRemove }: TaskChipProps): ReactNode {
  const { client } = useSession();
  const read = useRead(["task", taskId], (signal) => client.tasks.get(taskId, { signal }), { kinds: ["task"] });
  const name = read.data?.name ?? formerName ?? (isNotFound(read.error) ? "deleted" : "…");
  return (
    <Button title="Show the runs of every task" className="max-w-full min-w-0 shrink! sm:max-w-80" onClick={onRemove}>
      <span className="truncate">Task: {name}</span>
      <span aria-hidden="true">×</span>
      <span className="sr-only">, remove this filter</span>
    </Button>
  );
}
