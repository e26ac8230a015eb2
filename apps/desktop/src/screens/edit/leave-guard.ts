import { useBlocker } from "@tanstack/react-router";
import { useRef } from "react";

/** Asks before a page with changes that are not saved is left. */
export function useLeaveGuard(hasChanges: boolean): { readonly leave: (go: () => void) => void } {
  const isSaved = useRef(false);
  useBlocker({
    shouldBlockFn: () => hasChanges && !isSaved.current && !window.confirm("Leave without saving your changes?"),
    enableBeforeUnload: () => hasChanges && !isSaved.current,
  });
  return {
    leave: (go) => {
      isSaved.current = true;
      go();
    },
  };
}
