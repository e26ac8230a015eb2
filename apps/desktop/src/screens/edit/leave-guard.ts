import { useBlocker } from "@tanstack/react-router";
import { useRef } from "react";

/** Asks before a page is left with changes that are not saved, or with something else that would be lost. */
export function useLeaveGuard(
  hasChanges: boolean,
  question = "Leave without saving your changes?",
): { readonly leave: <T>(go: () => T) => T } {
  const isSaved = useRef(false);
  useBlocker({
    shouldBlockFn: () => hasChanges && !isSaved.current && !window.confirm(question),
    enableBeforeUnload: () => hasChanges && !isSaved.current,
  });
  return {
    leave: (go) => {
      isSaved.current = true;
      return go();
    },
  };
}
