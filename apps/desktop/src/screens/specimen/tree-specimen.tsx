import { type ReactNode, useState } from "react";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";

interface Row {
  readonly id: string;
  readonly level: number;
  readonly isGroup: boolean;
}

const all: readonly Row[] = [
  { id: "Import orders", level: 1, isGroup: false },
  { id: "Web", level: 1, isGroup: true },
  { id: "Deploy", level: 2, isGroup: false },
  { id: "Check", level: 2, isGroup: false },
];
const columns: readonly Column<Row>[] = [
  { name: "Name", width: "2fr", cell: ({ id }) => id },
  { name: "State", width: "120px", cell: ({ isGroup }) => (isGroup ? null : <Status kind="ready">Ready</Status>) },
  { name: "Next", width: "88px", isNumber: true, cell: () => null },
];

/** A table whose rows fold. */
export function TreeSpecimen(): ReactNode {
  const [isFolded, setIsFolded] = useState(false);
  return (
    <Table
      label="Example of a tree"
      columns={columns}
      rows={isFolded ? all.filter(({ level }) => level === 1) : all}
      idOf={({ id }) => id}
      onOpen={({ isGroup }) => isGroup && setIsFolded(!isFolded)}
      tree={{
        levelOf: ({ level }) => level,
        isUnfolded: ({ isGroup }) => (isGroup ? !isFolded : undefined),
        fold: (_, next) => setIsFolded(next),
        isHeading: ({ isGroup }) => isGroup,
      }}
    />
  );
}
