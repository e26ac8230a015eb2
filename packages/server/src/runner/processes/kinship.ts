import type { Mark } from "../claims/claim.ts";
import type { ProcessId } from "./processes.ts";
import type { SeenProcess } from "./scanner.ts";

export interface Target {
  /** The task's own process, which leads a session of its own; null when its runner died before it could write it down. */
  readonly main: ProcessId | null;
  readonly mark: Mark | null;
  /** No process of the attempt started before this, in ticks after boot. */
  readonly since: number;
}

/**
 * Tells which processes are an attempt's. Certain are its main process, those that carry its mark, and those found earlier.
 * From them follow their children, the members of the main process's session, and of sessions that one of them leads.
 * A session's number alone proves nothing: once its last member is gone it may be a stranger's. So a session counts only
 * while somebody certain is in it.
 */
export class Kinship {
  readonly #target: Target;
  readonly #sessions: Set<number>;
  #known = new Map<number, number>();

  constructor(target: Target) {
    this.#target = target;
    this.#sessions = new Set(target.main === null ? [] : [target.main.pid]);
  }

  /** The attempt's processes among those seen, zombies left out: they count as gone, but still lead to others. */
  find(seen: readonly SeenProcess[]): readonly SeenProcess[] {
    const candidates = seen.filter(({ pid, startTime }) => startTime >= this.#target.since && pid !== process.pid);
    const byParent = Map.groupBy(candidates, ({ parent }) => parent);
    const bySession = Map.groupBy(candidates, ({ session }) => session);
    const kin = new Set<SeenProcess>();
    const found = candidates.filter((candidate) => this.#isCertain(candidate));
    // grows while it is walked
    for (const member of found) {
      if (kin.has(member)) continue;
      kin.add(member);
      if (member.session === member.pid) this.#sessions.add(member.session);
      if (this.#sessions.has(member.session)) {
        found.push(...(bySession.get(member.session) ?? []));
        bySession.delete(member.session);
      }
      found.push(...(byParent.get(member.pid) ?? []).filter((child) => child.startTime >= member.startTime));
    }
    this.#known = new Map([...kin].map(({ pid, startTime }) => [pid, startTime]));
    return [...kin].filter(({ isZombie }) => !isZombie);
  }

  #isCertain({ pid, startTime, mark }: SeenProcess): boolean {
    const { main, mark: own } = this.#target;
    if (main?.pid === pid && main.startTime === startTime) return true;
    if (this.#known.get(pid) === startTime) return true;
    return own !== null && mark?.runId === own.runId && mark.attempt === own.attempt;
  }
}
