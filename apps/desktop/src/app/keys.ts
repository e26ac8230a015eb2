import { useEffect, useRef } from "react";
import { currentPreferences } from "../data/preferences.ts";
import { createStore, useStore } from "../data/store.ts";

/** A key of a page, or of everywhere, as the list of keys shows it. */
export interface KeyAct {
  readonly key: string;
  readonly text: string;
  readonly act: () => void;
}

const stack = createStore<readonly (readonly KeyAct[])[]>([]);

/** Keys that work while the component is there. They are dead while somebody types, and where the person turned them off. */
export function useKeys(acts: readonly KeyAct[]): void {
  const current = useRef(acts);
  current.current = acts;
  const names = acts.map(({ key, text }) => `${key} ${text}`).join("\n");
  useEffect(() => {
    // what the keys do is looked up when one is pressed; the list changes only with their names
    const mine = current.current.map(({ key, text }) => ({
      key,
      text,
      act: () => current.current.find((act) => act.key === key)?.act(),
    }));
    stack.set([...stack.get(), mine]);
    return () => stack.set(stack.get().filter((acts_) => acts_ !== mine));
  }, [names]);
}

/** Every key that works now. */
export function useKeyList(): readonly KeyAct[] {
  return useStore(stack).flat();
}

let first: string | null = null;

/** Listens for keys; returns the end of it. */
export function listenForKeys(): () => void {
  const listen = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || event.metaKey || isTyping(event.target)) return;
    if (event.ctrlKey) {
      if (event.key === "k") perform(event, "Ctrl K");
      return;
    }
    if (!currentPreferences().hasKeys || document.querySelector("[role=dialog], [role=menu]") !== null) return;
    const name = first === null ? event.key : `${first} ${event.key}`;
    first = null;
    if (perform(event, name)) return;
    if (
      stack
        .get()
        .flat()
        .some(({ key }) => key.startsWith(`${event.key} `))
    )
      first = event.key;
  };
  window.addEventListener("keydown", listen);
  return () => window.removeEventListener("keydown", listen);
}

function perform(event: KeyboardEvent, name: string): boolean {
  // the page's own keys come before those of everywhere
  const act = stack
    .get()
    .flat()
    .findLast(({ key }) => key === name);
  if (act === undefined) return false;
  event.preventDefault();
  act.act();
  return true;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "submit"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}
