import type { Shell } from "../shell/shell.ts";
import { createStore, useStore } from "./store.ts";
import { openVisits } from "./visits.ts";
import { isZone, ownZone } from "./words.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** The settings of a person. The shell stores them: a browser's storage ends with its port. */
export interface Preferences {
  readonly theme: Theme;
  /** The zone of all times on the screens; null is the zone of this computer. */
  readonly zone: string | null;
  readonly hasKeys: boolean;
  readonly wrapsOutput: boolean;
}

export const defaultPreferences: Preferences = {
  theme: "system",
  zone: null,
  hasKeys: true,
  wrapsOutput: true,
};

/** Each is stored alone: an older window, which does not know what another has changed since, writes only what it changes. */
const names = { theme: "theme", zone: "zone", hasKeys: "keys", wrapsOutput: "wrap-output" } as const;

const preferences = createStore(defaultPreferences);
let keeper: Shell | null = null;

/** Reads the stored preferences, and stores later changes. A preference that cannot be read gets its default. */
export async function openPreferences(shell: Shell): Promise<void> {
  keeper = shell;
  const kept = await shell.recall().catch(() => ({}));
  preferences.set({ ...defaultPreferences, ...readKept(kept) });
  openVisits(shell, kept);
}

export function changePreferences(change: Partial<Preferences>): void {
  preferences.set({ ...preferences.get(), ...change });
  for (const member of Object.keys(names) as (keyof Preferences)[]) {
    const value = change[member];
    // if the shell cannot store the change, it applies to this page only
    if (value !== undefined) void keeper?.remember(names[member], value).catch(() => {});
  }
}

export function usePreferences(): Preferences {
  return useStore(preferences);
}

export function currentPreferences(): Preferences {
  return preferences.get();
}

/** The zone of all times on the screens. */
export function useZone(): string {
  return usePreferences().zone ?? ownZone();
}

function readKept(kept: Readonly<Record<string, unknown>>): Partial<Preferences> {
  const { [names.theme]: theme, [names.zone]: zone, [names.hasKeys]: keys, [names.wrapsOutput]: wraps } = kept;
  return {
    ...(themes.includes(theme as Theme) ? { theme: theme as Theme } : {}),
    ...(typeof zone === "string" && isZone(zone) ? { zone } : {}),
    ...(typeof keys === "boolean" ? { hasKeys: keys } : {}),
    ...(typeof wraps === "boolean" ? { wrapsOutput: wraps } : {}),
  };
}
