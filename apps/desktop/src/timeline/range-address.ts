import { type SpanName, spans } from "./range.ts";

/** How an address says what a timeline shows. */
export interface RangeSearch {
  readonly span?: string;
  readonly until?: string;
  readonly table?: true;
}

export interface ShownRange {
  readonly span: SpanName;
  /** The end of what is looked at; null moves with time. */
  readonly until: number | null;
  readonly isTable: boolean;
}

export function readRange({ span, until, table }: RangeSearch): ShownRange {
  return {
    span: span !== undefined && Object.hasOwn(spans, span) ? (span as SpanName) : "24h",
    until: until === undefined || Number.isNaN(Number(until)) ? null : Number(until),
    isTable: table === true,
  };
}

/** An address with a part of the range changed. What it says besides stays. */
export function withRange<S extends object>(search: S & RangeSearch, change: Partial<ShownRange>): S & RangeSearch {
  const { until, isTable } = { ...readRange(search), ...change };
  const { until: _until, table: _table, ...rest } = search;
  return {
    // safe because only members of the range were taken away, which may be missing
    ...(rest as S & RangeSearch),
    ...(change.span === undefined ? {} : { span: change.span }),
    ...(until === null ? {} : { until: String(Math.round(until)) }),
    ...(isTable ? { table: true } : {}),
  };
}
