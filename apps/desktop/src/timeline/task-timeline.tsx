import { type ReactNode, useState } from "react";
import { TimelinePanel } from "./panel.tsx";
import type { SpanName } from "./range.ts";

/** The timeline of one task, for the head of its page. */
export function TaskTimeline({ taskId }: { readonly taskId: string }): ReactNode {
  const [span, setSpan] = useState<SpanName>("24h");
  const [until, setUntil] = useState<number | null>(null);
  const [isTable, setIsTable] = useState(false);
  return (
    <TimelinePanel
      filter={{ task_ids: taskId }}
      span={span}
      until={until}
      isTable={isTable}
      isSingle
      empty={<p className="text-muted">This task has no runs and no scheduled times in this range.</p>}
      onChange={(change) => {
        if (change.span !== undefined) setSpan(change.span);
        if (change.until !== undefined) setUntil(change.until);
        if (change.isTable !== undefined) setIsTable(change.isTable);
      }}
    />
  );
}
