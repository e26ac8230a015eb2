import type { ReactNode } from "react";
import { Rows } from "../../components/rows.tsx";
import { Status } from "../../components/status.tsx";
import type { SteadyRows } from "../../components/steady-rows.ts";
import { type Column, Table } from "../../components/table.tsx";

interface Row {
  readonly id: string;
}

const idOf = ({ id }: Row): string => id;
const columns: readonly Column<Row>[] = [
  { name: "Name", width: "2fr", cell: idOf },
  { name: "State", width: "120px", cell: () => <Status kind="ready">Ready</Status> },
  { name: "Next", width: "88px", isNumber: true, cell: () => null },
];
const steady: SteadyRows<Row> = {
  rows: [{ id: "Import orders" }, { id: "Deploy" }, { id: "Check" }],
  waiting: 2,
  show: () => {},
  hold: {},
  isGone: ({ id }) => id === "Deploy",
};

/** What a list and a table show while their rows are kept: new ones wait, and one is gone. */
export function SteadySpecimen(): ReactNode {
  return (
    <>
      <Table label="Example of kept rows" columns={columns} rows={steady.rows} steady={steady} idOf={idOf} />
      <Rows steady={steady} idOf={idOf} rowClassName="flex min-h-8 items-center gap-x-3 border-b">
        {({ id }, isGone) => (
          <>
            {isGone ? <Status kind="off">Ended</Status> : <Status kind="running">Running</Status>}
            <span>{id}</span>
          </>
        )}
      </Rows>
    </>
  );
}
