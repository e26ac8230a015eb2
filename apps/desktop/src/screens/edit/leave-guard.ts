import { useBlocker } from "@tanstack/react-router";
import { useRef } from "react";
import { mayLeave } from "../../components/may-leave.ts";

/** Asks before a page is left with changes that are not saved, or with something else that would be lost. */
export function useLeaveGuard(hasChanges: boolean, question?: string): { readonly leave: <T>(go: () => T) => T } {
  const isSaved = useRef(false);
  useBlocker({
    shouldBlockFn: () => hasChanges && !isSaved.current && !mayLeave(question),
    enableBeforeUnload: () => hasChanges && !isSaved.current,
  });
  return {
    leave: (go) => {
      isSaved.current = true;
      return go();
    },
  };
}
