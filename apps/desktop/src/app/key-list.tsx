import type { ReactNode } from "react";
import { rowsIn } from "../components/row-focus.ts";
import { CheckField } from "../components/fields.tsx";
import { Dialog } from "../components/dialog.tsx";
import { changePreferences, usePreferences } from "../data/preferences.ts";
import { useKeyList } from "./keys.ts";

/** The keys that work on this page. */
export function KeyList({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  const { hasKeys } = usePreferences();
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
      {isOpen && <Keys />}
      <CheckField
        label="Single-key shortcuts"
        hint="Without them, the keyboard still reaches everything with Tab and Ctrl K."
        checked={hasKeys}
        onChange={(event) => changePreferences({ hasKeys: event.target.checked })}
      />
    </Dialog>
  );
}

function Keys(): ReactNode {
  const shown = useKeyList().map(({ key, text }) => [key, text]);
  const main = document.querySelector("main");
  // the tree itself follows the arrows, and the browser opens what has the focus
  if (main?.querySelector("[role=treegrid]")) shown.unshift(["→ ←", "Unfold or fold the group under the focus"]);
  if (rowsIn(main).length > 0) shown.unshift(["Enter", "Open the row under the focus"]);
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
      {shown.map(([key, text]) => (
        <div key={key} className="contents">
          <dt>
            <kbd className="rounded-sm border px-1">{key}</kbd>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
