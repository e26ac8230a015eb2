import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { useKeys } from "../app/keys.ts";
import { Button } from "./button.tsx";

export interface Act {
  readonly label: string;
  readonly onSelect: () => void;
  readonly isDanger?: boolean;
  /** It changes something without a question. */
  readonly isAtOnce?: boolean;
  /** The key that does the same. */
  readonly keys?: string;
}

export interface MoreMenuProps {
  readonly acts: readonly (Act | null)[];
  readonly label?: string;
  /** The name of the row whose acts these are. Without one, they are those of the page. */
  readonly of?: string;
}

/**
 * Every act of a page but the first one, or of a row, behind one button. Without an act there is no button. The palette
 * offers those of a page too, and their keys work.
 */
export function MoreMenu({ acts, label = "More", of }: MoreMenuProps): ReactNode {
  const shown = acts.filter((act) => act !== null);
  const prefix = label === "More" ? "" : `${label}: `;
  useKeys(
    of === undefined
      ? shown.map(({ label: name, onSelect, keys, isAtOnce }) => ({
          key: keys,
          text: `${prefix}${name}`,
          act: onSelect,
          isAtOnce,
        }))
      : [],
  );
  if (shown.length === 0) return null;
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        {of === undefined ? (
          <Button>{label} ▾</Button>
        ) : (
          <Button look="quiet" aria-label={`Actions of ${of}`}>
            Actions ▾
          </Button>
        )}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-50 min-w-44 rounded-sm border bg-raised p-1 shadow-float"
        >
          {shown.map(({ label: name, onSelect, isDanger, keys }) => (
            <DropdownMenu.Item
              key={name}
              onSelect={onSelect}
              className={`flex h-8 items-center justify-between gap-6 rounded-sm px-2 outline-none data-highlighted:bg-hover ${isDanger === true ? "text-failure" : ""}`}
            >
              {name}
              {keys !== undefined && <kbd className="text-muted">{keys}</kbd>}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
