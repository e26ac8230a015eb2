import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useRef, useState } from "react";
import { classNames } from "../components/class-names.ts";
import { focusOfPage } from "./keep-focus.ts";
import type { KeyAct } from "./keys.ts";
import { type Found, useFound } from "./palette-search.ts";

export interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Finds any screen, task, run and everything else that has a name, and what can be done on this page. */
export function Palette({ isOpen, onClose }: PaletteProps): ReactNode {
  const chosen = useRef<(() => void) | null>(null);
  const perform = (event: Event): void => {
    const act = chosen.current;
    chosen.current = null;
    if (act === null) return;
    // an act may be about the row under the focus, and a dialog that it opens returns the focus to where it was
    event.preventDefault();
    const former = focusOfPage();
    if (former instanceof HTMLElement) former.focus({ preventScroll: true });
    act();
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={perform}
          className="fixed top-[12vh] left-1/2 z-50 w-[min(560px,calc(100vw-24px))] -translate-x-1/2 rounded-sm border bg-raised shadow-float"
        >
          <Radix.Title className="sr-only">Search</Radix.Title>
          {isOpen && (
            <Search
              onClose={onClose}
              onAct={({ act }) => {
                chosen.current = act;
                onClose();
              }}
            />
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface SearchProps {
  readonly onClose: () => void;
  readonly onAct: (act: KeyAct) => void;
}

function Search({ onClose, onAct }: SearchProps): ReactNode {
  const [text, setText] = useState("");
  const navigate = useNavigate();
  const { found, isSearching, problem } = useFound(text);
  const select = ({ leads }: Found): void => {
    if (leads !== null && typeof leads !== "string") return onAct(leads);
    onClose();
    if (leads !== null) void navigate({ to: leads });
  };
  return (
    <Command label="Search" shouldFilter={false} loop>
      <Command.Input
        autoFocus
        value={text}
        onValueChange={setText}
        placeholder="A task, a run, a screen or an action"
        className="h-10 w-full border-b bg-transparent px-3 outline-none placeholder:text-muted"
      />
      <Command.List className="max-h-[50vh] overflow-auto p-1">
        {problem === null && (
          <Command.Empty className="p-3 text-muted">
            {isSearching ? "Searching …" : "Nothing has this name."}
          </Command.Empty>
        )}
        {found.map((one) => (
          <Command.Item
            key={one.value}
            value={one.value}
            onSelect={() => select(one)}
            className="flex h-8 items-center justify-between gap-4 rounded-sm px-2 data-[selected=true]:bg-hover"
          >
            <span className="truncate">{one.name}</span>
            <span className="flex max-w-1/2 shrink-0 items-center gap-2 text-small text-muted">
              <span className="truncate">{one.note}</span>
              {one.keys !== undefined && <kbd className="rounded-sm border px-1">{one.keys}</kbd>}
            </span>
          </Command.Item>
        ))}
      </Command.List>
      <div role="status">
        {problem !== null && (
          <p className={classNames("px-3 py-2 break-words text-attention", found.length > 0 && "border-t")}>
            {problem}
          </p>
        )}
      </div>
    </Command>
  );
}
