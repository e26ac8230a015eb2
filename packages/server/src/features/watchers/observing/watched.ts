import { type CheckDepth, createDirectoryScope, type Scope, type ScopeParts } from "./directory-scope.ts";
import { createFileScope } from "./file-scope.ts";
import type { Memory } from "./memory.ts";
import type { HealthCode, WatchOrder } from "./messages.ts";
import type { Bytes } from "./name-hash.ts";
import type { Candidate, EndedLook, Place, PlaceOwner } from "./place.ts";
import { bytesOf, type ReadFailure } from "./read-directory.ts";
import type { WatchRefusal } from "../watch-files.ts";
import { createRoot } from "./root.ts";
import { type Due, onChange, type Phase, quiet, release, rest } from "./settling.ts";

export interface WatchedParts extends Omit<ScopeParts, "path" | "root" | "owner" | "isRecursive" | "memory"> {
  readonly memory: Memory;
  readonly selects: (name: Bytes) => boolean;
  /** Nothing notifies: the watcher polls. */
  readonly isPolled: boolean;
  /** A watcher of more files is not observed. */
  readonly filesMax: number;
  /** Resolve the path again soon. */
  readonly queueCheck: () => void;
  /** Its phase or its health may be another now. */
  readonly onUpdated: () => void;
}

/** A changed file, where it is. */
export interface ChangedFile {
  readonly place: Place;
  readonly name: Bytes;
  readonly candidate: Candidate;
}

/** One watcher at work: where it looks, which files have changed there, and whether they have settled. */
export class Watched implements PlaceOwner {
  order: WatchOrder;
  phase: Phase = quiet;
  /** A look at the changed files is under way. */
  isLooking = false;
  /** A run may be requested, once what still changes has settled or is gone. */
  isAwaited = false;
  readonly memory: Memory;
  readonly selects: (name: Bytes) => boolean;
  readonly #parts: WatchedParts;
  readonly #scope: Scope;
  /** The first look at everything is not over. */
  #isStarting = true;
  #isMissing = false;
  #failure: Exclude<ReturnType<Scope["check"]>, "file_missing"> | "too_many" = null;
  /** A file was still changing when `max_wait` was over. */
  #neverRests = false;

  constructor(order: WatchOrder, parts: WatchedParts) {
    this.order = order;
    this.memory = parts.memory;
    this.selects = parts.selects;
    this.#parts = parts;
    const path = bytesOf(order.path);
    const root = createRoot({ ...parts, path, onHint: parts.queueCheck });
    const create = order.kind === "file" ? createFileScope : createDirectoryScope;
    this.#scope = create({ ...parts, path, root, owner: this, isRecursive: order.isRecursive });
  }

  get places(): Iterable<Place> {
    return this.#scope.places();
  }

  /** Finds out where the path leads now. */
  check(depth: CheckDepth): void {
    if (this.#failure === "too_many") return;
    const found = this.#scope.check(depth);
    const failure = found === "file_missing" ? null : found;
    const isMissing = found === "file_missing";
    // there is nothing to report of most regular checks
    if (depth === "complete" || failure !== this.#failure || isMissing !== this.#isMissing) this.#parts.onUpdated();
    this.#failure = failure;
    this.#isMissing = isMissing;
  }

  lookAt({ place, name }: ChangedFile): void {
    this.#scope.lookAt(place, name);
  }

  *changed(): Generator<ChangedFile> {
    for (const place of this.places) for (const [name, candidate] of place.candidates) yield { place, name, candidate };
  }

  onChange(atMs: number): void {
    const wasQuiet = this.phase.is === "quiet";
    this.phase = onChange(this.phase, atMs);
    if (wasQuiet) this.#parts.onUpdated();
  }

  onLooked(place: Place, look: EndedLook): void {
    // its subdirectories are noted before the place counts as read
    this.#scope.follow(place, look);
    this.memory.noteLook(place, look);
    this.#parts.onUpdated();
  }

  onFailure(_place: Place, failure: ReadFailure): void {
    // a file in the place of a directory is noticed by the look at its parent: asked again, the path would lead there again
    if (failure === "gone") this.#parts.queueCheck();
    this.#parts.onUpdated();
  }

  /** After a look at all changed files: what it has shown. Returns whether settled files are to be offered to a run. */
  endLook(due: Due, begunAt: number, now: number): boolean {
    const hasSettled = this.#settle(due, begunAt, now);
    const isOffered = hasSettled || (this.isAwaited && this.phase.is === "quiet");
    if (isOffered) this.isAwaited = false;
    return isOffered;
  }

  #settle(due: Due, begunAt: number, now: number): boolean {
    const unsettled = [...this.changed()].filter(({ candidate }) => !candidate.isReady);
    if (unsettled.length === 0) {
      this.phase = quiet;
      this.#neverRests = false;
      return false;
    }
    if (due === "first_look") {
      this.phase = rest(this.phase, now);
      return false;
    }
    const stable = begunAt - this.order.stabilityMs;
    const settled =
      due === "second_look" ? unsettled : unsettled.filter(({ candidate }) => candidate.sinceMs <= stable);
    for (const { candidate } of settled) candidate.isReady = true;
    const remains = settled.length < unsettled.length;
    this.#neverRests = remains;
    this.phase = release(now, { remains });
    return settled.length > 0;
  }

  ready(): readonly ChangedFile[] {
    return [...this.changed()].filter(({ candidate }) => candidate.isReady);
  }

  health(): HealthCode {
    switch (this.#failure) {
      case null:
        return this.#healthOfPlaces();
      case "gone":
        return "missing";
      case "denied":
        return "denied";
      case "own":
        return "own_files";
      case "remote":
        return "elsewhere";
      case "failed":
        return "unreadable";
      default:
        return this.#failure;
    }
  }

  /** After looks at any number of its places. */
  review(): void {
    const places = [...this.places];
    if (places.length === 0) this.#isStarting = true;
    else if (places.every(isLookedAt)) this.#isStarting = false;
    this.#completeBaseline();
    if (this.#failure === "too_many" || this.#countFiles() <= this.#parts.filesMax) return;
    this.#scope.close();
    this.#failure = "too_many";
    this.phase = quiet;
  }

  close(): void {
    this.#scope.close();
  }

  #healthOfPlaces(): HealthCode {
    const places = [...this.places];
    const root = places[0];
    const isFile = this.order.kind === "file";
    if (root === undefined) return "starting";
    // the check that finds its nearest ancestor comes next
    if (root.failure === "gone") return "missing";
    if (root.failure === "denied") return "denied";
    if (root.failure === "not_directory") return "not_directory";
    if (root.failure !== null) return "unreadable";
    if (this.#isStarting && !isFile) return "starting";
    if (this.#parts.isPolled) return "polling_network";
    if (places.some(({ failure }) => failure === "denied" || failure === "failed")) return "partly_unreadable";
    if (this.#scope.countRemote() > 0) return "partly_remote";
    // one that was just deleted is not notified either
    const polled = places.filter(({ directory }) => isLimited(directory?.refusal));
    if (polled.length > 0 && polled.length < places.length) return "partly_polled";
    if (polled.length > 0)
      return polled[0]!.directory!.refusal === "instances" ? "polling_instances" : "polling_watches";
    if (this.#neverRests) return "never_rests";
    return isFile && this.#isMissing ? "file_missing" : "observing";
  }

  /** The first look is complete once every place was read, or cannot be read. */
  #completeBaseline(): void {
    if (this.memory.isComplete) return this.memory.beginOnDisk(this.places);
    const places = [...this.places];
    // a path that cannot be read yet has its baseline later, one that is missing has none
    const isBegun = places.length > 0 || this.memory.baselineUntilNs === null;
    if (isBegun && places.every(isLookedAt)) this.memory.complete(places);
  }

  #countFiles(): number {
    let count = 0;
    for (const place of this.places) count += place.files.count + place.candidates.size;
    return count;
  }
}

/** A limit of the system leaves it without notifications. */
function isLimited(refusal: WatchRefusal | null | undefined): boolean {
  return refusal === "watches" || refusal === "instances";
}

/** It was read, or cannot be. */
function isLookedAt({ hasBeenRead, failure }: Place): boolean {
  return hasBeenRead || failure !== null;
}
