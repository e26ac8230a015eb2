import { AppError, describeError } from "../../kernel/errors/errors.ts";
import { firstLine } from "../../kernel/errors/start-error.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { createLoop, type Next } from "../../kernel/time/loop.ts";
import { formatInstant, type Instant } from "../../kernel/time/time.ts";
import { endOf, renewalOf } from "./certificate.ts";
import type { Station } from "./station.ts";
import type { TakeTurn } from "./turns.ts";

export interface UpkeepParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly station: Station;
  readonly takeTurn: TakeTurn;
}

/** How soon the daemon tries again after a problem, such as a port that another program uses. */
const retryMs = 10_000;
/** The clock may be set, so the certificate is checked at least this often. */
const checkMs = 3_600_000;

/**
 * Keeps the remote API reachable while it is enabled: opens the port at the start, tries again if that fails, and renews
 * the daemon's own certificate in its last third.
 */
export function createUpkeep({ clock, log, station, takeTurn }: UpkeepParts) {
  let isStarting = true;
  let hasWarned = false;
  return createLoop({ clock, round, onFailure: reportProblem });

  async function round(stopping: AbortSignal): Promise<Next> {
    const endTurn = await takeTurn();
    try {
      warnOfCommands();
      if (!station.settings.isEnabled() || stopping.aborted) return null;
      return await keep();
    } finally {
      isStarting = false;
      endTurn();
    }
  }

  /** Whoever may set what runs has the account of the daemon's user. */
  function warnOfCommands(): void {
    const { enabled, commands } = station.settings.current();
    const isAllowed = enabled && commands;
    if (isAllowed && !hasWarned)
      log.warn("remote.commands_allowed", {
        message: "remote callers with manage may set what runs, as the daemon's user: commands = true in [remote]",
      });
    hasWarned = isAllowed;
  }

  async function keep(): Promise<Next> {
    const settings = station.settings.current();
    const known = station.certificate();
    // a configured certificate is read at the start, and then only when the user asks for it
    const isOwn = settings.certificate === null;
    const mustRead = known === null || isOwn || isStarting || station.problem() !== null;
    const { certificate, made } = mustRead
      ? await station.certificateFor(settings)
      : { certificate: known, made: "none" as const };
    const isOpen = station.isListening();
    if (!isOpen) {
      const opening = await station.open(settings, certificate).catch((error: unknown) => {
        throw new AppError("conflict", station.explainPort(settings, error), { cause: error });
      });
      opening.activate();
      log.info("remote.listening", { host: settings.host, port: settings.port });
    }
    station.present(certificate);
    if (isOpen && made !== "none") station.presentToClients();
    const now = clock.now();
    if (made !== "none") {
      const renewed = { made, expires_at: formatInstant(endOf(certificate.leaf)) };
      // nobody asked for it: a restored data directory may lack the root that its clients trust
      if (made === "root")
        log.warn("remote.renewed", { ...renewed, effect: "clients of a former root must enrol again" });
      else log.info("remote.renewed", renewed);
    }
    if (endOf(certificate.leaf) <= now) {
      station.reportProblem(
        `the certificate expired at ${formatInstant(endOf(certificate.leaf))}: replace its file, and run belfry remote renew`,
      );
      return { afterMs: checkMs };
    }
    const dueAt: Instant = isOwn ? renewalOf(certificate.leaf) : endOf(certificate.leaf);
    return { afterMs: Math.min(Math.max(dueAt - now, 0), checkMs) };
  }

  function reportProblem(error: unknown): Next {
    const problem = error instanceof AppError ? error.message : firstLine(error);
    if (station.problem() !== problem)
      log.error("remote.not_reachable", {
        problem,
        ...(error instanceof AppError ? {} : { error: describeError(error) }),
      });
    station.reportProblem(problem);
    return { afterMs: retryMs };
  }
}
