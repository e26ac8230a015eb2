import type { ReactNode } from "react";
import type { PagesRead } from "../data/read.ts";
import { Shown } from "./states.tsx";
import { Table, type TableProps } from "./table.tsx";

export interface ListProps<T> extends Omit<TableProps<T>, "rows" | "more"> {
  readonly read: PagesRead<T>;
  readonly needs?: string;
  /** Stands in place of rows if there are none. */
  readonly empty: ReactNode;
  /** Says that filters leave no row. Null if there is no filter. */
  readonly filtered: string | null;
}

/** The rows of a page that lists: they are read page by page, and their place is kept in every state. */
export function List<T>({ read, needs, empty, filtered, ...table }: ListProps<T>): ReactNode {
  return (
    <Shown read={read} {...(needs === undefined ? {} : { needs })}>
      {(rows) => {
        if (rows.length > 0) return <Table {...table} rows={rows} more={read} />;
        return filtered === null ? empty : <p className="text-muted">{filtered}</p>;
      }}
    </Shown>
  );
}
