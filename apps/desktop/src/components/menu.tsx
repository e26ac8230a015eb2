import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";

export interface Act {
  readonly label: string;
  readonly onSelect: () => void;
  readonly isDanger?: boolean;
  /** The key that does the same. */
  readonly keys?: string;
}

/** Every act of a page but the first one, behind one button. Without an act there is no button. */
export function MoreMenu({
  acts,
  label = "More",
}: {
  readonly acts: readonly (Act | null)[];
  readonly label?: string;
}): ReactNode {
  const shown = acts.filter((act) => act !== null);
  if (shown.length === 0) return null;
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <Button>{label} ▾</Button>
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
