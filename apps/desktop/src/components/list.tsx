import type { ReactNode } from "react";
import type { PagesRead } from "../data/read.ts";
import { Shown, SkeletonRows } from "./states.tsx";
import { useSteadyRows } from "./steady-rows.ts";
import { Table, type TableProps } from "./table.tsx";

export interface ListProps<T> extends Omit<TableProps<T>, "rows" | "more" | "steady" | "isFormer"> {
  readonly read: PagesRead<T>;
  readonly needs?: string;
  /** Stands in place of rows if there are none. */
  readonly empty: ReactNode;
  /** Says that filters leave no row. Null if there is no filter. */
  readonly filtered: string | null;
}

/** The rows of a page that lists: they are read page by page, and their place is kept in every state. */
export function List<T>({ read, needs, empty, filtered, ...table }: ListProps<T>): ReactNode {
  // the last row that goes keeps its place too
  const steady = useSteadyRows(read.data, { idOf: table.idOf, question: read.question, isCut: read.hasMore });
  return (
    <Shown read={read} {...(needs === undefined ? {} : { needs })}>
      {() => {
        if (steady.rows.length > 0)
          return <Table {...table} rows={steady.rows} steady={steady} more={read} isFormer={read.isFormer} />;
        // that there is nothing is known of the former question alone
        if (read.isFormer) return <SkeletonRows />;
        return filtered === null ? empty : <p className="text-muted">{filtered}</p>;
      }}
    </Shown>
  );
}
