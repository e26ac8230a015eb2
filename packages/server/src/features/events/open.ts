import { randomText } from "../../kernel/ids.ts";
import { type Clock, systemClock } from "../../kernel/time/clock.ts";
import { createHub } from "./hub.ts";
import { serveEvents } from "./operations.ts";

export interface EventsParts {
  readonly clock: Clock;
  readonly capabilities: () => readonly string[];
}

export function openEvents({ clock, capabilities }: EventsParts) {
  // each start of the daemon has an epoch of its own: a subscriber that sees a new epoch reloads everything
  const hub = createHub({ clock, paceClock: systemClock, epoch: randomText(20), capabilities });
  return { hub, operations: serveEvents(hub) };
}
