const tabbable =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex='0']";
/** What floats above the page and has the focus while it is there. */
export const floating = "[role=dialog], [role=menu]";

let ofPage: Element | null = null;

/** What has the focus on the page; while something floats above the page, what had it before. */
export function focusOfPage(): Element | null {
  return ofPage?.isConnected === true ? ofPage : null;
}

/** Keeps the focus on the page: where its element goes away, what stood around it gets the focus. Returns the end of it. */
export function keepFocus(): () => void {
  let last: readonly Element[] = [];
  /** The same for the page below what floats, to which the focus returns. */
  let below: readonly Element[] = [];
  let isAsked = false;
  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    last = [...withAncestors(target)];
    if (target.closest(floating) !== null) return;
    below = last;
    ofPage = target;
  };
  const forget = ({ target, relatedTarget }: FocusEvent): void => {
    if (relatedTarget === null && target === ofPage && document.hasFocus()) ofPage = null;
  };
  const mend = (): void => {
    isAsked = false;
    if (document.activeElement !== document.body || !document.hasFocus()) return;
    // the person has clicked beside it
    if (last[0] === undefined || isFocusable(last[0])) return;
    const isAfloat = last.some((element) => element.isConnected && element.matches(floating));
    successorOf(isAfloat ? last : below)?.focus();
  };
  const look = (): void => {
    if (isAsked) return;
    isAsked = true;
    // what floats moves the focus itself just after it has closed
    requestAnimationFrame(() => setTimeout(mend));
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["disabled", "hidden", "open", "class"],
  });
  document.addEventListener("focusin", remember);
  document.addEventListener("focusout", forget);
  return () => {
    observer.disconnect();
    document.removeEventListener("focusout", forget);
    document.removeEventListener("focusin", remember);
  };
}

/** The element itself, or the first that can be reached in the smallest part of the page that is still there. */
function successorOf(path: readonly Element[]): HTMLElement | null {
  const [self] = path;
  if (self instanceof HTMLElement && isFocusable(self)) return self;
  for (const element of path) {
    if (!element.isConnected) continue;
    if (element.querySelector("h1") !== null) break;
    const found = [element, ...element.querySelectorAll(tabbable)].find(
      (part): part is HTMLElement => part instanceof HTMLElement && part.matches(tabbable) && isFocusable(part),
    );
    if (found !== undefined) return found;
  }
  return document.querySelector<HTMLElement>("h1") ?? document.querySelector<HTMLElement>("main");
}

function* withAncestors(element: Element): Generator<Element> {
  for (let next: Element | null = element; next !== null; next = next.parentElement) yield next;
}

function isFocusable(element: Element): boolean {
  return element.isConnected && !element.matches(":disabled") && element.getClientRects().length > 0;
}
