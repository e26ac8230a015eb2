import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { TimelinePanel } from "./panel.tsx";
import { readRange, withRange } from "./range-address.ts";

const route = getRouteApi("/tasks/$taskId");

/** The timeline of one task, for the head of its page. */
export function TaskTimeline({ taskId }: { readonly taskId: string }): ReactNode {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/tasks/$taskId" });
  return (
    <TimelinePanel
      filter={{ task_ids: taskId }}
      {...readRange(search)}
      isSingle
      empty={<p className="text-muted">This task has no runs and no scheduled times in this range.</p>}
      onChange={(change) =>
        void navigate({ search: (former) => withRange(former, change), replace: true, resetScroll: false })
      }
    />
  );
}
