import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { ShowNew } from "./show-new.tsx";
import type { SteadyRows } from "./steady-rows.ts";

export interface RowsProps<T> {
  readonly steady: SteadyRows<T>;
  readonly idOf: (row: T) => string;
  /** Stands in place of rows if there are none. */
  readonly empty?: ReactNode;
  /** How many rows are shown. The others are counted. */
  readonly shownMax?: number;
  /** Says how many rows are not shown. */
  readonly rest?: (count: number) => ReactNode;
  /** The task whose row this is, for the keys that run and edit it. */
  readonly taskOf?: (row: T) => string | null;
  readonly className?: string;
  readonly rowClassName: string;
  readonly children: (row: T, isGone: boolean) => ReactNode;
}

/** A list that is no table. Like a table, it keeps its rows while somebody points at them. */
export function Rows<T>(props: RowsProps<T>): ReactNode {
  const { steady, idOf, empty, shownMax = Number.POSITIVE_INFINITY, rest, taskOf, className, rowClassName } = props;
  const shown = steady.rows.slice(0, shownMax);
  const hidden = steady.rows.length - shown.length;
  return (
    <div {...steady.hold}>
      <ShowNew of={steady} />
      {shown.length === 0 ? (
        // it is not true any more, but keeps its place
        <div className={steady.waiting > 0 ? "invisible" : ""}>{empty}</div>
      ) : (
        <ul className={className ?? "flex flex-col"}>
          {shown.map((row) => {
            const isGone = steady.isGone?.(row) === true;
            return (
              <li
                key={idOf(row)}
                data-task={taskOf?.(row) ?? undefined}
                className={classNames(rowClassName, isGone && "text-muted **:text-muted!")}
              >
                {props.children(row, isGone)}
              </li>
            );
          })}
          {hidden > 0 && rest !== undefined && <li className="py-1 text-muted">{rest(hidden)}</li>}
        </ul>
      )}
    </div>
  );
}
