import type { Mark } from "../claims/claim.ts";
import { isHelper } from "./cgroup.ts";
import type { ProcessId, ProcessStat } from "./processes.ts";
import type { SeenProcess } from "./scanner.ts";

export interface Target {
  /** The task's own process, which leads its own session; null if its runner died before it wrote it to the claim. */
  readonly main: ProcessId | null;
  readonly mark: Mark | null;
  /** The folder of the attempt's own cgroup. */
  readonly cgroup: string | null;
  /** No process of the attempt started before this, in ticks after boot. */
  readonly since: number;
  /** Whether the main process exited by itself. */
  readonly hasExited: boolean;
  /** When it did, in ticks after boot; null if it did not, or if that is not known. */
  readonly exitTicks: number | null;
}

/**
 * Finds the processes of an attempt. Its main process, the processes with its mark or in its cgroup, and those found
 * earlier are certain. Their children belong to it too, and so do the members of the main process's session and of
 * sessions that one of them leads. A session's number alone proves nothing: it may be reused after its last member is gone.
 * So a session counts only while a certain process is in it.
 */
export class Kinship {
  readonly #target: Target;
  readonly #sessions: Set<number>;
  #known = new Map<number, number>();
  #members = new Map<number, number>();

  constructor(target: Target) {
    this.#target = target;
    this.#sessions = new Set(target.main === null ? [] : [target.main.pid]);
  }

  /**
   * Finds the attempt's processes among those seen, without zombies: a zombie counts as gone, but still identifies
   * related processes.
   */
  find(seen: readonly SeenProcess[], members: readonly ProcessStat[] = []): readonly SeenProcess[] {
    this.#members = new Map(members.filter((each) => !isHelper(each, this.#target.main)).map(keyed));
    const seenPids = new Set(seen.map(({ pid }) => pid));
    const unseen = members.filter(({ pid }) => !seenPids.has(pid)).map((member) => ({ ...member, mark: null }));
    const candidates = [...seen, ...unseen].filter(
      ({ pid, startTime }) => startTime >= this.#target.since && pid !== process.pid,
    );
    const byParent = Map.groupBy(candidates, ({ parent }) => parent);
    const bySession = Map.groupBy(candidates, ({ session }) => session);
    const kin = new Set<SeenProcess>();
    const found = candidates.filter((candidate) => this.#isCertain(candidate));
    // the array grows during the iteration
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
    this.#known = new Map([...kin].map(keyed));
    return [...kin].filter(({ isZombie }) => !isZombie);
  }

  #isCertain({ pid, startTime, session, mark }: SeenProcess): boolean {
    const { main, mark: own, exitTicks } = this.#target;
    if (main?.pid === pid && main.startTime === startTime) return true;
    if (this.#known.get(pid) === startTime || this.#members.get(pid) === startTime) return true;
    // it joined the session before the main process exited, when the session's number could not be reused yet
    if (main?.pid === session && exitTicks !== null && startTime <= exitTicks) return true;
    return own !== null && mark?.runId === own.runId && mark.attempt === own.attempt;
  }
}

function keyed({ pid, startTime }: ProcessId): [number, number] {
  return [pid, startTime];
}
