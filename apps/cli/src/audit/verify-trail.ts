import type { AuditChain, AuditEvent } from "@belfry/client";
import { hashEvent } from "./event-hash.ts";

/** A number and a hash of the chain. */
export type Mark = NonNullable<AuditChain["head"]>;

/** Reads a trail. Each call reads it anew. */
export interface TrailSource {
  readonly chain: () => PromiseLike<AuditChain>;
  /** All events, newest first. After steps of the clock, this is not the order of the chain. */
  readonly events: () => AsyncIterable<AuditEvent>;
}

/** The verdict on a trail: the ends of the chain that it forms, or a sentence about the first break. */
export type Verdict = { readonly chain: AuditChain; readonly events: number } | { readonly problem: string };

interface Link {
  readonly previous: string | null;
  readonly name: string;
}

/** Events by their hash. */
type Links = Map<string, Link>;

/** What was read of a trail: both ends before and after, all events in between, and the events added meanwhile. */
interface Reading {
  readonly before: AuditChain;
  readonly events: Links;
  readonly after: AuditChain;
  readonly added: Links;
}

class Break extends Error {}

const first = "the newest record when the verification began";
const given = "the head given with --head";

/**
 * Verifies that the events form one chain from the head to the anchor, or to the first event, and that there are no
 * others. Events may be added and pruned meanwhile. `keptHead` is a former head that was kept elsewhere.
 */
export async function verifyTrail(source: TrailSource, keptHead: Mark | null = null): Promise<Verdict> {
  try {
    const reading = await readTrail(source);
    const events = requireOneChain(reading, keptHead);
    requireUntampered(reading.after);
    return { chain: reading.after, events };
  } catch (error) {
    if (error instanceof Break) return { problem: error.message };
    throw error;
  }
}

async function readTrail(source: TrailSource): Promise<Reading> {
  const before = await source.chain();
  const events: Links = new Map();
  for await (const event of source.events()) addEvent(events, event);
  const after = await source.chain();
  return { before, events, after, added: await readAdded(source, events, after) };
}

/** Reads the newest events until they lead from the head to an event that is known. */
async function readAdded(source: TrailSource, known: Links, { head, anchor }: AuditChain): Promise<Links> {
  const added: Links = new Map();
  let wanted = head?.hash ?? null;
  const isComplete = (): boolean => {
    for (let link = added.get(wanted ?? ""); link !== undefined; link = added.get(wanted ?? "")) wanted = link.previous;
    return wanted === null || wanted === anchor?.hash || known.has(wanted);
  };
  if (isComplete()) return added;
  for await (const event of source.events()) {
    if (!known.has(event.hash)) addEvent(added, event);
    if (isComplete()) break;
  }
  return added;
}

function addEvent(links: Links, event: AuditEvent): void {
  const name = `record ${event.id} (${event.operation}, ${event.at})`;
  if (hashEvent(event) !== event.hash) throw new Break(`The ${name} was changed: its hash does not match its content.`);
  if (links.has(event.hash)) throw new Break(`The ${name} occurs twice: another program added it.`);
  links.set(event.hash, { previous: event.previous_hash, name });
}

/** Walks from the head to the anchor, and returns the number of events. */
function requireOneChain({ before, events, after, added }: Reading, keptHead: Mark | null): number {
  const end = after.anchor ?? { number: 0, hash: null };
  requireNotNewer(before.head, after, first);
  requireNotNewer(keptHead, after, given);
  requireKept(keptHead, after);
  const onChain = new Set<string>();
  let { number, hash } = after.head ?? { number: 0, hash: null };
  const top = number;
  for (let child: Link | null = null; number > end.number; number--) {
    requireMark(before.head, { number, hash }, first);
    requireMark(keptHead, { number, hash }, given);
    if (hash === end.hash) {
      // an event that is not on the chain explains more than the numbers, unless it may have been pruned
      if (before.anchor?.number === after.anchor?.number) requireNoOthers({ before, events, onChain }, end);
      throw new Break(
        `The chain has ${top - number} records, but their numbers say ${top - end.number}: another program added or removed records.`,
      );
    }
    const link: Link | undefined = hash === null ? undefined : (events.get(hash) ?? added.get(hash));
    if (link === undefined || hash === null)
      throw new Break(
        child === null
          ? `Record ${number}, the newest one, is missing or was changed.`
          : `Record ${number}, before the ${child.name}, is missing or was changed.`,
      );
    onChain.add(hash);
    child = link;
    hash = link.previous;
  }
  requireMark(before.head, { number, hash }, first);
  requireMark(keptHead, { number, hash }, given);
  if (hash !== end.hash)
    throw new Break(
      end.hash === null
        ? "The first record is not the beginning of the chain: older records were removed."
        : `The oldest record does not follow record ${end.number}, the last one that the daemon pruned.`,
    );
  requireNoOthers({ before, events, onChain }, { number, hash });
  return top - end.number;
}

/** Every event must be on the chain, except those that were pruned after they were read. */
function requireNoOthers(
  { before, events, onChain }: Pick<Reading, "before" | "events"> & { readonly onChain: Set<string> },
  end: { readonly number: number; readonly hash: string | null },
): void {
  let { number, hash } = end;
  const oldest = before.anchor?.number ?? 0;
  for (; hash !== null && number > oldest && events.has(hash); number--) {
    onChain.add(hash);
    hash = events.get(hash)?.previous ?? null;
  }
  // the daemon prunes the oldest numbers, which need not be the last that are read
  let prunedAtMost = number - oldest;
  for (const [each, { previous, name }] of events) {
    if (onChain.has(each)) continue;
    const isFork = previous === null ? number === 0 : onChain.has(previous);
    if (isFork || prunedAtMost-- <= 0)
      throw new Break(`The ${name} is not part of the chain: another program added it.`);
  }
}

function requireNotNewer(mark: Mark | null, { head }: AuditChain, what: string): void {
  if (mark !== null && mark.number > (head?.number ?? 0))
    throw new Break(
      `Record ${mark.number}, ${what}, comes after the newest record that is left: records were removed.`,
    );
}

function requireKept(mark: Mark | null, { anchor }: AuditChain): void {
  if (mark !== null && mark.number < (anchor?.number ?? 0))
    throw new Break(`Record ${mark.number}, ${given}, cannot be checked: the daemon has pruned it.`);
}

function requireMark(
  mark: Mark | null,
  at: { readonly number: number; readonly hash: string | null },
  what: string,
): void {
  if (mark !== null && mark.number === at.number && mark.hash !== at.hash)
    throw new Break(`Record ${mark.number}, ${what}, is not part of the chain: the records up to it were replaced.`);
}

function requireUntampered({ tampered_at: at }: AuditChain): void {
  if (at !== null)
    throw new Break(
      `The records form one chain, but on ${at} the daemon found that another program had changed the audit trail. See audit.tampered in the daemon's log.`,
    );
}
