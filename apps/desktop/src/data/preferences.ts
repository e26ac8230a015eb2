import type { Shell } from "../shell/shell.ts";
import { createStore, useStore } from "./store.ts";
import { ownZone } from "./words.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** The settings of a person, and the times of their last visits. The shell stores them: a browser's storage ends with its port. */
export interface Preferences {
  readonly theme: Theme;
  /** The zone of all times on the screens; null is the zone of this computer. */
  readonly zone: string | null;
  readonly hasKeys: boolean;
  readonly wrapsOutput: boolean;
  /** When the screens of a profile's daemon were last closed, in milliseconds since 1970. */
  readonly lastVisits: Readonly<Record<string, number>>;
}

export const defaultPreferences: Preferences = {
  theme: "system",
  zone: null,
  hasKeys: true,
  wrapsOutput: true,
  lastVisits: {},
};
const name = "preferences";

const preferences = createStore(defaultPreferences);
let keeper: Shell | null = null;

/** Reads the stored preferences, and stores later changes. A preference that cannot be read gets its default. */
export async function openPreferences(shell: Shell): Promise<void> {
  keeper = shell;
  const kept = await shell.recall(name).catch(() => null);
  preferences.set({ ...defaultPreferences, ...readKept(kept) });
}

export function changePreferences(change: Partial<Preferences>): void {
  const next = { ...preferences.get(), ...change };
  preferences.set(next);
  // if the shell cannot store the change, it applies to this page only
  void keeper?.remember(name, { ...next }).catch(() => {});
}

export function usePreferences(): Preferences {
  return useStore(preferences);
}

export function currentPreferences(): Preferences {
  return preferences.get();
}

/** Remembers that the screens of a profile's daemon are closed now. */
export function rememberVisit(profile: string): void {
  changePreferences({ lastVisits: { ...currentPreferences().lastVisits, [profile]: Date.now() } });
}

/** The zone of all times on the screens. */
export function useZone(): string {
  return usePreferences().zone ?? ownZone();
}

function readKept(kept: unknown): Partial<Preferences> {
  if (typeof kept !== "object" || kept === null) return {};
  const { theme, zone, hasKeys, wrapsOutput, lastVisits } = kept as Record<string, unknown>;
  return {
    ...(themes.includes(theme as Theme) ? { theme: theme as Theme } : {}),
    ...(typeof zone === "string" && isZone(zone) ? { zone } : {}),
    ...(typeof hasKeys === "boolean" ? { hasKeys } : {}),
    ...(typeof wrapsOutput === "boolean" ? { wrapsOutput } : {}),
    lastVisits: readVisits(lastVisits),
  };
}

function readVisits(kept: unknown): Preferences["lastVisits"] {
  if (typeof kept !== "object" || kept === null) return {};
  return Object.fromEntries(
    Object.entries(kept).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  );
}

function isZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
