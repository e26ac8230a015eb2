import type { ReactNode, RefObject } from "react";
import { Button } from "../../../components/button.tsx";
import { classNames } from "../../../components/class-names.ts";
import { type Act, MoreMenu } from "../../../components/menu.tsx";
import { changePreferences, usePreferences } from "../../../data/preferences.ts";
import { foundMax } from "./finder.ts";
import type { Find } from "./use-find.ts";

export interface OutputBarProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly find: Find;
  readonly onMove: (step: 1 | -1) => void;
  readonly isLive: boolean;
  readonly isFollowing: boolean;
  readonly onFollow: (isWanted: boolean) => void;
  readonly downloads: readonly Act[];
  readonly searchField: RefObject<HTMLInputElement | null>;
}

/** What can be done with the output. */
export function OutputBar(props: OutputBarProps): ReactNode {
  const { text, onText, find, onMove, isLive, isFollowing, onFollow, downloads, searchField } = props;
  const { wrapsOutput } = usePreferences();
  return (
    <div className="flex flex-wrap items-center gap-1">
      <input
        ref={searchField}
        type="search"
        aria-label="Search the output"
        placeholder="Search the output"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onMove(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") event.currentTarget.blur();
        }}
        className="h-8 w-56 max-w-full rounded-sm border border-control bg-page px-2 placeholder:text-muted"
      />
      {text !== "" && (
        <>
          <span role="status" className="px-1 text-muted">
            {countOf(find)}
          </span>
          <Button look="quiet" aria-label="Previous place" disabled={find.current === null} onClick={() => onMove(-1)}>
            ↑
          </Button>
          <Button look="quiet" aria-label="Next place" disabled={find.current === null} onClick={() => onMove(1)}>
            ↓
          </Button>
        </>
      )}
      <div className="ml-auto flex flex-wrap gap-1">
        {isLive && (
          <Toggle isOn={isFollowing} onChange={onFollow}>
            Follow
          </Toggle>
        )}
        <Toggle isOn={wrapsOutput} onChange={(isWanted) => changePreferences({ wrapsOutput: isWanted })}>
          Wrap
        </Toggle>
        <MoreMenu label="Download" acts={downloads} />
      </div>
    </div>
  );
}

function countOf({ found, at }: Find): string {
  if (found.length === 0) return "Not found";
  const all = found.length >= foundMax ? `${foundMax.toLocaleString("en")} or more` : found.length.toLocaleString("en");
  return `${(at + 1).toLocaleString("en")} of ${all}`;
}

function Toggle({
  isOn,
  onChange,
  children,
}: {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Button
      look="quiet"
      aria-pressed={isOn}
      className={classNames(isOn && "bg-hover font-medium")}
      onClick={() => onChange(!isOn)}
    >
      {children}
    </Button>
  );
}
