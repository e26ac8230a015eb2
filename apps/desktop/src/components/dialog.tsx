import { Dialog as Radix } from "radix-ui";
import { createContext, type ReactNode, useContext, useId, useLayoutEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { TextField } from "./fields.tsx";
import { mayLeave } from "./may-leave.ts";

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** What is in a dialog, by an id, that a click outside may not take away, and Escape not at all or only after a question. */
type Keepers = Map<string, "stays" | "asks">;
const KeepersContext = createContext<Keepers | null>(null);

/**
 * Keeps the dialog around the caller open, if there is one, until its own buttons close it: while a change is on its way,
 * or while it shows what cannot be shown again.
 */
export function useKeepOpen(isKept: boolean): void {
  useKeeper(isKept ? "stays" : null);
}

/** Lets no click outside close the dialog around the caller, if there is one, and asks before Escape does. */
export function useAskToClose(hasChanges: boolean): void {
  useKeeper(hasChanges ? "asks" : null);
}

function useKeeper(how: "stays" | "asks" | null): void {
  const keepers = useContext(KeepersContext);
  const id = useId();
  // at once: Escape may be pressed before a later effect
  useLayoutEffect(() => {
    if (keepers === null || how === null) return undefined;
    keepers.set(id, how);
    return () => void keepers.delete(id);
  }, [keepers, id, how]);
}

/**
 * What floats above the page. Escape and a click outside close it, unless something in it keeps it open, and the focus
 * returns to where it was.
 */
export function Dialog({ title, isOpen, onClose, children }: DialogProps): ReactNode {
  const keepers = useRef<Keepers>(new Map());
  const keepFrom = (cause: "escape" | "outside") => (event: Event) => {
    const kept = new Set(keepers.current.values());
    if (kept.has("stays") || (kept.has("asks") && (cause === "outside" || !mayLeave()))) event.preventDefault();
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        {/* the focus stays where it is in a dialog that stays */}
        <Radix.Overlay className="fixed inset-0 z-40 bg-shade" onMouseDown={(event) => event.preventDefault()} />
        <Radix.Content
          aria-describedby={undefined}
          onEscapeKeyDown={keepFrom("escape")}
          onPointerDownOutside={keepFrom("outside")}
          className="fixed top-4 left-1/2 z-50 flex max-h-[calc(100dvh-32px)] sm:top-[12vh] sm:max-h-[76vh] w-[min(560px,calc(100vw-24px))] -translate-x-1/2 flex-col gap-3 overflow-auto scroll-pb-16 rounded-sm border bg-raised p-4 shadow-float"
        >
          <Radix.Title asChild>
            <h2>{title}</h2>
          </Radix.Title>
          <KeepersContext value={keepers.current}>{children}</KeepersContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface ConfirmProps extends Omit<DialogProps, "children"> {
  /** What will happen, and what goes with it, by name and number. */
  readonly children: ReactNode;
  /** The act, as its button says it. */
  readonly act: string;
  /** What the button says that leaves without the act. */
  readonly leave?: string;
  readonly isDanger?: boolean;
  readonly isBusy?: boolean;
  /** The name to type, where the act cannot be undone. */
  readonly nameToType?: string;
  /** What went wrong: the dialog stays open with it. */
  readonly problem?: ReactNode;
  /** The act was sent, and may have been carried out: it cannot be asked for again. `problem` closes the dialog. */
  readonly isOver?: boolean;
  /** Whether the act can be carried out. If not, `children` says why. */
  readonly isPossible?: boolean;
  readonly onConfirm: () => void;
}

/** Asks before an act. */
export function Confirm({ title, isOpen, onClose, ...form }: ConfirmProps): ReactNode {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <ConfirmForm {...form} onClose={onClose} />
    </Dialog>
  );
}

/** It is made anew each time the dialog opens, so that a name typed for one thing confirms no other. */
function ConfirmForm({
  children,
  act,
  leave = "Cancel",
  isDanger = false,
  isBusy = false,
  nameToType,
  problem,
  isOver = false,
  isPossible = true,
  onConfirm,
  onClose,
}: Omit<ConfirmProps, "title" | "isOpen">): ReactNode {
  const [typed, setTyped] = useState("");
  const isReady = isPossible && (nameToType === undefined || typed === nameToType);
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isBusy && !isOver) onConfirm();
      }}
    >
      <div className="flex flex-col gap-2">{children}</div>
      {nameToType !== undefined && (
        <TextField
          label={`Type “${nameToType}” to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {problem}
      {!isOver && (
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={isBusy} onClick={onClose}>
            {leave}
          </Button>
          <Button type="submit" look={isDanger ? "danger" : "primary"} isBusy={isBusy} disabled={!isReady}>
            {isBusy ? "Sending …" : act}
          </Button>
        </div>
      )}
    </form>
  );
}
