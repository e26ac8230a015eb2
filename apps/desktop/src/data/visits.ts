import type { Shell } from "../shell/shell.ts";

type Visits = Readonly<Record<string, number>>;

/** The visit of each profile is stored alone, as windows of several profiles may be open. */
const prefix = "visit.";

let former: Visits = {};
let keeper: Shell | null = null;
let sent: Promise<void> = Promise.resolve();

/**
 * Takes the times of the last visits from what the shell has kept. A window keeps those that it began with: to load it
 * again is no new visit, and would hide what went wrong before it.
 */
export function openVisits(shell: Shell, kept: Readonly<Record<string, unknown>>): void {
  keeper = shell;
  const here = shell.recallHere();
  former = readVisits((here ?? kept) as Readonly<Record<string, unknown>>);
  const first = Object.entries(former).map(([profile, at]) => [prefix + profile, at] as const);
  if (here === null) shell.rememberHere(Object.fromEntries(first));
}

/** When the screens of a profile's daemon were last closed before this window opened, in milliseconds since 1970, or null. */
export function lastVisit(profile: string): number | null {
  return Object.hasOwn(former, profile) ? former[profile]! : null;
}

/** Remembers that the screens of a profile's daemon are closed now. */
export function rememberVisit(profile: string): void {
  sent = keeper?.remember(prefix + profile, Date.now()).catch(() => {}) ?? sent;
}

/** Forgets the visits of a profile that was removed. Another profile may get its name. */
export function forgetVisit(profile: string): void {
  const { [profile]: _, ...others } = former;
  former = others;
  // the requests may overtake each other
  void sent.then(() => keeper?.forget(prefix + profile)).catch(() => {});
}

function readVisits(kept: Readonly<Record<string, unknown>>): Visits {
  const entries = Object.entries(kept).flatMap(([name, at]) =>
    name.startsWith(prefix) && typeof at === "number" && Number.isFinite(at)
      ? [[name.slice(prefix.length), at] as const]
      : [],
  );
  return Object.fromEntries(entries);
}
