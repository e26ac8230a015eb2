import { memo, type ReactNode } from "react";
import { type Layer, layersInOrder, rowHeight } from "./shapes.ts";

const looks: Readonly<Record<Layer, string>> = {
  success: "fill-success",
  failure: "fill-failure",
  crosses: "fill-none stroke-failure stroke-2",
  running: "fill-running/25 stroke-running moving",
  waiting: "stroke-waiting",
  cancelled: "fill-none stroke-waiting",
  missed: "fill-page stroke-attention",
  skipped: "fill-waiting",
  attention: "fill-attention",
  coming: "fill-page stroke-muted",
};

export interface RowMarksProps {
  readonly paths: ReadonlyMap<Layer, string>;
  readonly width: number;
  /** The id of the hatching, which is the same for all rows of a plot. */
  readonly hatch: string;
}

/** The marks of one row. They are drawn again only if they changed. */
export const RowMarks = memo(function RowMarks({ paths, width, hatch }: RowMarksProps): ReactNode {
  return (
    <svg aria-hidden="true" width={width} height={rowHeight} className="absolute top-0 left-0 overflow-visible">
      {layersInOrder.map((layer) => {
        const path = paths.get(layer);
        if (path === undefined) return null;
        return (
          <path
            key={layer}
            d={path}
            className={looks[layer]}
            {...(layer === "waiting" ? { fill: `url(#${hatch})` } : {})}
            {...(layer === "running"
              ? { strokeDasharray: "4 2" }
              : layer === "missed"
                ? { strokeDasharray: "3 2" }
                : {})}
          />
        );
      })}
    </svg>
  );
});

/** The pattern of what waits. */
export function Hatch({ id }: { readonly id: string }): ReactNode {
  return (
    <svg aria-hidden="true" width="0" height="0" className="absolute">
      <defs>
        <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0v5" className="stroke-waiting" strokeWidth="2.5" />
        </pattern>
      </defs>
    </svg>
  );
}
