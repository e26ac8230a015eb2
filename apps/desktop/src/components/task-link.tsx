import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A task by its name, with its group before it. */
export function TaskLink({
  id,
  name,
  group,
}: {
  readonly id: string;
  readonly name: string;
  readonly group?: string | null;
}): ReactNode {
  return (
    <Link to="/tasks/$taskId" params={{ taskId: id }} className="min-w-0 truncate">
      {group !== null && group !== undefined && <span className="text-muted">{group} / </span>}
      {name}
    </Link>
  );
}

export function RunLink({ id, children }: { readonly id: string; readonly children: ReactNode }): ReactNode {
  return (
    <Link to="/runs/$runId" params={{ runId: id }} className="min-w-0 truncate">
      {children}
    </Link>
  );
}
