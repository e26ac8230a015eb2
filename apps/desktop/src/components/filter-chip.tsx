import type { ReactNode } from "react";
import { useRead } from "../data/read.ts";
import { useSession } from "../data/session.tsx";
import { Button } from "./button.tsx";
import { Time } from "./time.tsx";

interface ChipProps {
  /** What the filter is about, such as `Task`. */
  readonly name: string;
  /** What it lets through, in words. */
  readonly text: string;
  readonly more?: ReactNode;
  readonly onRemove: () => void;
}

/** A filter of the address for which the page has no field, with a button that removes it. */
export function FilterChip({ name, text, more, onRemove }: ChipProps): ReactNode {
  return (
    <div className="flex h-8 min-w-0 max-w-full items-center gap-2 rounded-sm border border-control pl-2">
      <span className="min-w-0 flex-1 truncate" title={text}>
        <span className="text-muted">{name}</span> {text}
        {more}
      </span>
      <Button look="quiet" className="-my-px px-2!" aria-label={`Remove the filter ${name} ${text}`} onClick={onRemove}>
        ✕
      </Button>
    </div>
  );
}

export interface FilterByIdProps {
  readonly id: string;
  readonly onRemove: () => void;
}

export interface TaskChipProps extends FilterByIdProps {
  /** The name that is known of a task that was deleted: that of its runs. */
  readonly formerName?: string | undefined;
}

/** The filter for one task, by its name. */
export function TaskChip({ id, formerName, onRemove }: TaskChipProps): ReactNode {
  const { client } = useSession();
  const { data } = useRead(["tasks", "picked", id], (signal) => client.tasks.get(id, { signal }), { kinds: ["task"] });
  // a task that was deleted, or that cannot be read, is still a filter
  return <FilterChip name="Task" text={data?.name ?? formerName ?? id} onRemove={onRemove} />;
}

/** The filter for one run, by its task and its time. */
export function RunChip({ id, onRemove }: FilterByIdProps): ReactNode {
  const { client } = useSession();
  const { data } = useRead(["runs", "named", id], (signal) => client.runs.get(id, { signal }), { kinds: ["run"] });
  return (
    <FilterChip
      name="Run"
      text={data?.task_name ?? id}
      more={
        data !== null && (
          <span className="text-muted">
            {" "}
            <Time at={data.started_at ?? data.queued_at} />
          </span>
        )
      }
      onRemove={onRemove}
    />
  );
}
