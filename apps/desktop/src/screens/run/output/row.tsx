import { memo, type ReactNode } from "react";
import { classNames } from "../../../components/class-names.ts";
import { useSession } from "../../../data/session.tsx";
import { formatBytes, formatExactClock, formatTime } from "../../../data/words.ts";
import { readAnsi, textOf } from "./ansi.ts";
import { lookOf } from "./ansi-look.ts";
import { placesOf } from "./finder.ts";
import type { Line, Row } from "./line-store.ts";
import { type Piece, piecesOf } from "./pieces.ts";

export interface OutputRowProps {
  readonly row: Row;
  readonly needle: string;
  /** Where the search is in this line, or null. */
  readonly current: number | null;
  readonly isMarked: boolean;
  /** Whether Tab stops at the links of this line. */
  readonly isStop: boolean;
  readonly wraps: boolean;
  readonly zone: string;
  readonly address: string;
  readonly onMark: (line: number) => void;
}

/** More places of one line are not coloured. */
const colouredMax = 200;

/** One line of the output: its number, its time, its stream, and what was written. */
export const OutputRow = memo(function OutputRow(props: OutputRowProps): ReactNode {
  const { row, isMarked, isStop, wraps, zone, address, onMark } = props;
  if (row.is === "gap")
    return (
      <p className="bg-surface px-3 py-0.5 text-attention">
        {formatBytes(row.bytes)} of {row.stream} were not kept.
      </p>
    );
  const isError = row.stream === "stderr";
  return (
    <div
      data-line={row.number}
      className={classNames(
        "flex min-w-full gap-3 border-l-2 pr-3",
        isError ? "border-attention" : "border-transparent",
        isMarked && "bg-hover",
        !wraps && "w-max",
      )}
    >
      <a
        href={address}
        tabIndex={isStop ? 0 : -1}
        aria-label={`Link to line ${row.number}`}
        aria-current={isMarked || undefined}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onMark(row.number);
        }}
        className={classNames(
          "w-[6ch] shrink-0 text-right select-none hover:text-text",
          isMarked ? "font-bold text-accent" : "text-muted",
        )}
      >
        {row.number}
      </a>
      {row.time !== undefined && (
        <time
          dateTime={row.time}
          title={formatTime(Date.parse(row.time), zone)}
          className="hidden shrink-0 text-muted select-none md:inline"
        >
          {formatExactClock(Date.parse(row.time), zone)}
        </time>
      )}
      <span className={classNames("w-[3ch] shrink-0 select-none", isError && "text-attention")}>
        {isError && <abbr title="stderr">err</abbr>}
      </span>
      <Text {...props} line={row} />
    </div>
  );
});

function Text({ line, needle, current, wraps, isStop }: OutputRowProps & { readonly line: Line }): ReactNode {
  const found =
    needle === ""
      ? []
      : placesOf(textOf(line.text), needle)
          .filter((start, index) => index < colouredMax || start === current)
          .map((start) => ({ start, end: start + needle.length, isCurrent: start === current }));
  const pieces = piecesOf(readAnsi(line.text, line.style).spans, found);
  return (
    <code className={classNames("min-w-0 flex-1", wraps ? "break-all whitespace-pre-wrap" : "whitespace-pre")}>
      {pieces.map((piece, index) => (
        <OnePiece key={index} piece={piece} isStop={isStop} />
      ))}
    </code>
  );
}

interface OnePieceProps {
  readonly piece: Piece;
  readonly isStop: boolean;
}

function OnePiece({ piece: { text, style, link, found }, isStop }: OnePieceProps): ReactNode {
  const { shell } = useSession();
  const look = lookOf(style);
  const inner =
    found === null ? (
      text
    ) : (
      <mark className={found === "current" ? "bg-accent text-on-accent" : "bg-hover text-text outline outline-accent"}>
        {text}
      </mark>
    );
  if (link !== null)
    return (
      <a
        href={link}
        tabIndex={isStop ? 0 : -1}
        rel="noreferrer"
        target="_blank"
        className={classNames("underline", look)}
        onClick={(event) => {
          event.preventDefault();
          shell.openLink(link);
        }}
      >
        {inner}
      </a>
    );
  return look === "" ? inner : <span className={look}>{inner}</span>;
}
