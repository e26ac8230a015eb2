import type { ReactNode } from "react";
import { useKnownNow, useNow } from "../data/now.ts";
import { useZone } from "../data/preferences.ts";
import { formatDuration, formatRelative, formatTime } from "../data/words.ts";

/** A time as its distance from now, with the full one on hover. */
export function Time({
  at,
  empty = "–",
}: {
  readonly at: string | number | null | undefined;
  readonly empty?: string;
}): ReactNode {
  const now = useNow();
  const zone = useZone();
  if (at === null || at === undefined) return empty;
  const ms = typeof at === "number" ? at : Date.parse(at);
  return (
    <time dateTime={new Date(ms).toISOString()} title={formatTime(ms, zone)} className="whitespace-nowrap">
      {formatRelative(ms, now)}
    </time>
  );
}

/** A whole time in the zone that the person chose. */
export function FullTime({ at }: { readonly at: string | null }): ReactNode {
  const zone = useZone();
  if (at === null) return "–";
  return <time dateTime={at}>{formatTime(Date.parse(at), zone)}</time>;
}

/** How long something has been going on, as far as it is known. */
export function Elapsed({ since }: { readonly since: string }): ReactNode {
  const now = useKnownNow();
  return formatDuration(now - Date.parse(since));
}
