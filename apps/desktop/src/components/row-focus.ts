/** A row of a table, or an item of any other list of a page. */
const rowSelector = "[data-row], li";
const tabbable = "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), summary, [tabindex='0']";

/** The rows within an element that can have the focus, from the first to the last. Those in a row are a part of it. */
export function rowsIn(root: Element | null): readonly HTMLElement[] {
  const all = [...(root?.querySelectorAll<HTMLElement>(rowSelector) ?? [])];
  return all.filter((row) => row.parentElement?.closest(rowSelector) === null && focusOf(row) !== null);
}

/** Moves the focus to the next row, or to the first one. */
export function moveFocus(root: Element | null, step: 1 | -1): void {
  const rows = rowsIn(root);
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const wanted = current === -1 ? rows[0] : rows[current + step];
  if (wanted === undefined || (current !== -1 && isFarther(rows[current]!, wanted, step))) return;
  focusOf(wanted)?.focus();
  wanted.scrollIntoView({ block: "nearest" });
}

/** Rows of a long list are drawn when they come into the window: until then, the next drawn one is of another list. */
function isFarther(row: HTMLElement, wanted: HTMLElement, step: 1 | -1): boolean {
  const list = row.closest<HTMLElement>("[data-rows]");
  if (list === null) return false;
  const next = Number(row.dataset["row"]) + step;
  const isInList = next >= 0 && next < Number(list.dataset["rows"]);
  return isInList && (!list.contains(wanted) || Number(wanted.dataset["row"]) !== next);
}

function focusOf(row: HTMLElement): HTMLElement | null {
  if (row.matches("[tabindex='0']")) return row;
  const inner = [...row.querySelectorAll<HTMLElement>(tabbable)];
  return inner.find((part) => part.tabIndex >= 0 && part.getClientRects().length > 0) ?? null;
}
