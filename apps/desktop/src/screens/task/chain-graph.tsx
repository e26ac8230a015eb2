import type { ChainGraph as Graph } from "@belfry/client";
import { useNavigate } from "@tanstack/react-router";
import { type Edge, type Node, Position, ReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { type ReactNode, useMemo } from "react";
import { useIsNarrow } from "../../components/table.tsx";

const columnWidth = 320;
const nodeWidth = 216;
const rowHeight = 64;
const words = { success: "on success", failure: "on failure", any: "always" } as const;
const colours = { success: "var(--success)", failure: "var(--failure)", any: "var(--waiting)" } as const;

/** Tasks and what they start, from left to right. The list above says the same, and stands alone where there is no room. */
export function ChainGraph({ graph, taskId }: { readonly graph: Graph; readonly taskId: string }): ReactNode {
  const navigate = useNavigate();
  const { nodes, edges, height } = useMemo(() => layOut(graph, taskId), [graph, taskId]);
  if (useIsNarrow()) return null;
  return (
    <div aria-hidden="true" className="rounded-sm border [&_.react-flow\_\_handle]:invisible" style={{ height }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        fitView
        fitViewOptions={{ maxZoom: 1 }}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        preventScrolling={false}
        zoomOnScroll={false}
        proOptions={{ hideAttribution: true }}
        onNodeClick={(_, { id }) => void navigate({ to: "/tasks/$taskId", params: { taskId: id } })}
      />
    </div>
  );
}

function layOut({ tasks, chains }: Graph, taskId: string) {
  const inLevel = new Map<number, number>();
  const nodes = tasks.map(({ task_id: id, task_name: name, level }): Node => {
    const row = inLevel.get(level) ?? 0;
    inLevel.set(level, row + 1);
    return {
      id,
      position: { x: level * columnWidth, y: row * rowHeight },
      data: { label: name },
      sourcePosition: Position.Right,
      targetPosition: Position.Left,
      style: {
        width: nodeWidth,
        padding: 6,
        border: `${id === taskId ? 2 : 1}px solid ${id === taskId ? "var(--accent)" : "var(--control)"}`,
        borderRadius: 4,
        background: "var(--raised)",
        color: "var(--text)",
        textAlign: "center",
        overflow: "hidden",
        textOverflow: "ellipsis",
        whiteSpace: "nowrap",
      },
    };
  });
  const edges = chains.map(
    ({ id, source_task_id: source, target_task_id: target, on_outcome: outcome, enabled }): Edge => ({
      id,
      source,
      target,
      animated: false,
      label: enabled ? words[outcome] : `${words[outcome]}, disabled`,
      labelStyle: { fill: "var(--muted)", fontSize: 12 },
      labelBgStyle: { fill: "var(--page)" },
      style: { stroke: colours[outcome], ...(enabled ? {} : { strokeDasharray: "4 4" }) },
    }),
  );
  return { nodes, edges, height: Math.min(480, 48 + Math.max(1, ...inLevel.values()) * rowHeight) };
}
