import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { classNames } from "./class-names.ts";
import { moveFocus } from "./row-focus.ts";
import { ShowNew } from "./show-new.tsx";
import { type SteadyRows, useSteadyRows } from "./steady-rows.ts";
import { followArrow, indentOf, type TreeRows } from "./tree-rows.ts";
import { useWindowRows } from "./window-rows.ts";
import { useLate } from "../data/late.ts";
import type { PagesRead } from "../data/read.ts";

export interface Column<T> {
  readonly name: string;
  /** Null where there is no value: a dash in a row, and nothing in a card. */
  readonly cell: (row: T) => ReactNode;
  /** A grid track, such as `2fr` or `96px`. */
  readonly width: string;
  readonly isNumber?: boolean;
  /** Left out where the screen is narrower than a desktop window. */
  readonly isWide?: boolean;
}

export interface TableProps<T> {
  /** What the rows are, for a screen reader. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly idOf: (row: T) => string;
  /** Opens a row. Where it leads to a page, its first cell is a link to that page, for a new tab; its focus is the row's. */
  readonly onOpen?: (row: T) => void;
  /** The acts of a row, at its end. */
  readonly acts?: (row: T) => ReactNode;
  readonly more?: Pick<PagesRead<T>, "hasMore" | "isReadingMore" | "more" | "question">;
  /** What a row says that is not in the list any more. Default: `Gone`. */
  readonly gone?: string;
  readonly tree?: TreeRows<T>;
  /** Decides which rows are shown, instead of `rows`, and which of them are gone. A tree needs it to be steady. */
  readonly steady?: SteadyRows<T>;
  /** The rows answer the former question: they are dimmed, and nothing can be done with them. */
  readonly isFormer?: boolean;
  /** Is told the first and the last row in the window, whenever they change. */
  readonly onWindow?: (first: number, last: number) => void;
}

const rowHeight = 32;
/** What a card probably needs, until it is measured. */
const cardHeight = 68;

/**
 * Rows of one height, of which only the visible ones exist. `j` and `k` go through them, Enter opens. On a narrow screen
 * each row is a card, as high as its content.
 */
export function Table<T>(props: TableProps<T>): ReactNode {
  const { label, columns, idOf, onOpen, acts, more, gone = "Gone", tree, isFormer = false, onWindow } = props;
  const own = useSteadyRows(props.rows, {
    idOf,
    question: more?.question,
    isCut: more?.hasMore ?? true,
    isSteady: tree === undefined && props.steady === undefined,
  });
  const steady = props.steady ?? own;
  const { rows } = steady;
  const isNarrow = useIsNarrow();
  // an answer that comes at once dims nothing
  const isDim = useLate(isFormer, 150) && isFormer;
  const {
    list,
    height,
    rows: items,
    virtual,
  } = useWindowRows({
    count: rows.length,
    height: isNarrow ? cardHeight : rowHeight,
    overscan: 12,
    keyOf: (index) => idOf(rows[index]!),
  });
  // before the cards are observed, so that what is measured stays
  useLayoutEffect(() => virtual.measure(), [isNarrow, virtual]);
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more?.hasMore === true && !more.isReadingMore && last >= rows.length - 20) more.more();
  }, [last, rows.length, more]);
  const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: 0 };
  useEffect(() => onWindow?.(startIndex, endIndex), [startIndex, endIndex, onWindow]);
  const focus = useFocusRow(list, (index) => virtual.scrollToIndex(index));
  const actsTrack = useActsTrack(list, items.map(({ key }) => key).join());
  const tracks = columns.map(({ width }) => (width.endsWith("fr") ? `minmax(0, ${width})` : width));
  const template = [...tracks, ...(acts === undefined ? [] : [actsTrack])].join(" ");
  const cellRole = tree === undefined ? "cell" : "gridcell";
  const onKeyDown = (event: KeyboardEvent): void => {
    // what floats above a row is a part of it for React alone
    if (!(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return;
    // an arrow that is pressed with another key is the browser's
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (tree !== undefined) followArrow(event, { tree, rows, focus });
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    moveFocus(list.current, step);
  };
  return (
    <div {...steady.hold}>
      <ShowNew of={steady} />
      <div
        role={tree === undefined ? "table" : "treegrid"}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-busy={isFormer || undefined}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className={isNarrow ? "sr-only" : ""}>
          <div
            role="row"
            className="grid h-8 items-center gap-x-4 border-b text-small text-muted"
            style={{ gridTemplateColumns: template }}
          >
            {columns.map(({ name, isNumber }) => (
              <div role="columnheader" key={name} className={classNames("truncate", isNumber === true && "text-right")}>
                {name}
              </div>
            ))}
            {acts !== undefined && (
              <div role="columnheader">
                <span className="sr-only">Actions</span>
              </div>
            )}
          </div>
        </div>
        <div
          role="rowgroup"
          ref={list}
          className={classNames("relative", isDim && "**:text-muted!")}
          style={{ height }}
          data-rows={rows.length}
        >
          {items.map((item) => {
            const row = rows[item.index]!;
            const indent = indentOf(tree, row, isNarrow);
            const isGone = steady.isGone?.(row) === true;
            return (
              <div
                role="row"
                key={item.key}
                ref={isNarrow ? virtual.measureElement : undefined}
                aria-rowindex={item.index + 2}
                aria-level={tree?.levelOf(row)}
                aria-expanded={tree?.isUnfolded(row)}
                data-row={item.index}
                tabIndex={onOpen === undefined ? undefined : 0}
                onClick={(event) => {
                  if (!isOwnControl(event.target) && window.getSelection()?.isCollapsed !== false) onOpen?.(row);
                }}
                onKeyDown={(event) => {
                  if (event.key === "Enter" && event.target === event.currentTarget) onOpen?.(row);
                }}
                className={classNames(
                  "absolute inset-x-0 border-b",
                  onOpen !== undefined && "cursor-pointer hover:bg-hover",
                  isGone && "**:text-muted!",
                  isNarrow ? "flex flex-wrap items-center gap-x-4 gap-y-1 py-2" : "grid items-center gap-x-4",
                )}
                style={{
                  transform: `translateY(${item.y}px)`,
                  ...(isNarrow ? { paddingLeft: indent } : { height: item.height, gridTemplateColumns: template }),
                }}
              >
                {columns.map((column, index) =>
                  isNarrow ? (
                    <CardCell
                      key={column.name}
                      column={column}
                      content={column.cell(row)}
                      place={index}
                      role={cellRole}
                      roomForActs={acts === undefined ? null : actsTrack}
                    />
                  ) : (
                    <div
                      role={cellRole}
                      key={column.name}
                      className={classNames("min-w-0 truncate", column.isNumber === true && "text-right")}
                      style={index === 0 && indent > 0 ? { paddingLeft: indent } : undefined}
                    >
                      {column.cell(row) ?? (tree?.isHeading(row) !== true && <span className="text-muted">–</span>)}
                    </div>
                  ),
                )}
                {isGone && (
                  <div role={cellRole} className="absolute right-0 bg-page px-2">
                    {gone}
                  </div>
                )}
                {acts !== undefined && !isGone && (
                  <div role={cellRole} className={isNarrow ? "absolute top-px -right-3" : undefined}>
                    <fieldset
                      disabled={isFormer}
                      className="flex w-max gap-1 disabled:*:pointer-events-none"
                      role="presentation"
                      data-acts
                    >
                      {acts(row)}
                    </fieldset>
                  </div>
                )}
              </div>
            );
          })}
        </div>
      </div>
      {more?.isReadingMore === true && (
        <p role="status" className="py-2 text-center text-small text-muted">
          Loading more…
        </p>
      )}
    </div>
  );
}

/** A value of a card: the first is its title, the second its state, and the others have their name before them. */
function CardCell<T>({
  column: { name, isWide },
  content,
  place,
  role,
  roomForActs,
}: {
  readonly column: Column<T>;
  readonly content: ReactNode;
  readonly place: number;
  readonly role: "cell" | "gridcell";
  readonly roomForActs: string | null;
}): ReactNode {
  if (content === null && place > 0) return null;
  return (
    <div
      role={role}
      className={classNames("min-w-0 truncate", place === 0 && "w-full font-medium", isWide === true && "sr-only")}
      style={place === 0 && roomForActs !== null ? { paddingRight: roomForActs } : undefined}
    >
      {place > 1 && <span className="text-small text-muted">{name} </span>}
      {content}
    </div>
  );
}

/** Moves the focus to any row, also to one that is not drawn yet. */
function useFocusRow(list: RefObject<HTMLElement | null>, scrollTo: (index: number) => void): (index: number) => void {
  const wanted = useRef<number | null>(null);
  const take = (): void => {
    const row = list.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`);
    if (row === null || row === undefined) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  };
  useLayoutEffect(() => {
    if (wanted.current !== null) take();
  });
  return (index) => {
    wanted.current = index;
    take();
    if (wanted.current !== null) scrollTo(index);
  };
}

/** The track of the acts. Each row is a grid of its own, and its header too, so all need one width: that of the widest. */
function useActsTrack(list: RefObject<HTMLElement | null>, drawn: string): string {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const cells = [...(list.current?.querySelectorAll<HTMLElement>("[data-acts]") ?? [])];
    const widest = Math.max(0, ...cells.map(({ offsetWidth }) => offsetWidth));
    setWidth((former) => Math.max(former, widest));
  }, [list, drawn]);
  return width === 0 ? "max-content" : `${width}px`;
}

function isOwnControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a, button, input, select, fieldset, [role=menuitem]") !== null;
}

const narrow = "(max-width: 639px)";

export function useIsNarrow(): boolean {
  const [isNarrow, setIsNarrow] = useState(() => matchMedia(narrow).matches);
  useEffect(() => {
    const query = matchMedia(narrow);
    const listen = (): void => setIsNarrow(query.matches);
    query.addEventListener("change", listen);
    return () => query.removeEventListener("change", listen);
  }, []);
  return isNarrow;
}
