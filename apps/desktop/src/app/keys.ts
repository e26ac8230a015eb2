import { useLayoutEffect, useRef } from "react";
import { floating } from "./keep-focus.ts";
import { currentPreferences } from "../data/preferences.ts";
import { createStore, useStore } from "../data/store.ts";

/** Something that can be done on a page, or everywhere: by its key, and by its name in the palette. */
export interface KeyAct {
  /** The key, or two that are pressed one after the other. Without one, only the palette has the act. */
  readonly key?: string | undefined;
  readonly text: string;
  readonly act: () => void;
  /** It changes something without a question, so that Enter in the palette must not do it before it is chosen. */
  readonly isAtOnce?: boolean | undefined;
  /** Whether it means something now. Without it, always. */
  readonly works?: () => boolean;
}

interface Registered {
  readonly acts: readonly KeyAct[];
  readonly isOfPage: boolean;
}

const stack = createStore<readonly Registered[]>([]);

/**
 * The acts of a page, while the component is there. Their keys are dead while somebody types, and where the person
 * turned them off. What the caller may not do is left out: nothing else keeps it from the palette.
 */
export function useKeys(acts: readonly (KeyAct | null)[]): void {
  useRegistered(acts, true);
}

/** Keys that work on every page. */
export function useKeysEverywhere(acts: readonly KeyAct[]): void {
  useRegistered(acts, false);
}

function useRegistered(acts: readonly (KeyAct | null)[], isOfPage: boolean): void {
  const given = acts.filter((act) => act !== null);
  const current = useRef(given);
  current.current = given;
  const names = given.map(({ key, text }) => `${key ?? ""} ${text}`).join("\n");
  // a button that can be seen has its key: an effect may come later than a key that is pressed
  useLayoutEffect(() => {
    // what the acts do is looked up when it is needed; the list changes only with their names
    const find = (key: string | undefined, text: string): KeyAct | undefined =>
      current.current.find((act) => act.key === key && act.text === text);
    const mine: Registered = {
      isOfPage,
      acts: current.current.map(({ key, text, isAtOnce }) => ({
        key,
        text,
        isAtOnce,
        act: () => find(key, text)?.act(),
        works: () => {
          const act = find(key, text);
          return act !== undefined && (act.works?.() ?? true);
        },
      })),
    };
    stack.set([...stack.get(), mine]);
    return () => stack.set(stack.get().filter((other) => other !== mine));
  }, [names, isOfPage]);
}

/** Every key that works now. Where two have one key, it is the one that was registered last. */
export function useKeyList(): readonly KeyAct[] {
  return onePerKey(useStore(stack).flatMap(({ acts }) => acts)).filter(({ key }) => key !== undefined);
}

/** What can be done on this page, without what can be done everywhere. */
export function usePageActs(): readonly KeyAct[] {
  return onePerKey(useStore(stack).flatMap(({ acts, isOfPage }) => (isOfPage ? acts : [])));
}

function onePerKey(acts: readonly KeyAct[]): readonly KeyAct[] {
  const working = acts.filter((act) => act.works?.() ?? true);
  return working.filter(
    ({ key }, index) => key === undefined || working.findLastIndex((other) => other.key === key) === index,
  );
}

let first: string | null = null;

/** Listens for keys; returns the end of it. */
export function listenForKeys(): () => void {
  const listen = (event: KeyboardEvent): void => {
    const before = first;
    // whatever is pressed next ends what was begun
    first = null;
    if (event.defaultPrevented || event.altKey) return;
    const isBelow = document.querySelector(floating) !== null;
    if (event.ctrlKey || event.metaKey) {
      if (!isSearch(event)) return;
      // the browser's own act would leave the page
      event.preventDefault();
      if (!isBelow) perform(event, "Ctrl K");
      return;
    }
    if (isBelow) return;
    if (!currentPreferences().hasKeys) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") leaveField(event);
      return;
    }
    const name = before === null ? event.key : `${before} ${event.key}`;
    if (perform(event, name)) return;
    if (actsOfAll().some(({ key }) => key?.startsWith(`${event.key} `))) first = event.key;
  };
  window.addEventListener("keydown", listen);
  return () => window.removeEventListener("keydown", listen);
}

/** Ctrl K, or Cmd K as a Mac has it, and nothing else that is pressed with it. With Caps Lock, the letter is a capital. */
function isSearch({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === "k" && ctrlKey !== metaKey && !shiftKey;
}

const actsOfAll = (): readonly KeyAct[] => stack.get().flatMap(({ acts }) => acts);

function perform(event: KeyboardEvent, name: string): boolean {
  // the page's own keys come before those of everywhere
  const act = actsOfAll().findLast(({ key, works }) => key === name && (works?.() ?? true));
  if (act === undefined) return false;
  event.preventDefault();
  act.act();
  return true;
}

/** The text stays, also in a field of a search, so that the keys can go through what was found. */
function leaveField(event: KeyboardEvent): void {
  event.preventDefault();
  document.querySelector("main")?.focus({ preventScroll: true });
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "submit"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}
