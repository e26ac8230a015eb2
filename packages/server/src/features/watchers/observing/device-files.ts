import { KnownFiles } from "./known-files.ts";

export interface DeviceState {
  /** Null before the directory was first read. */
  readonly device: bigint | null;
  readonly known: KnownFiles;
}

/** Of file systems that take turns on one directory, so many are remembered. */
const statesMax = 5;

/**
 * The known files of one directory, for each device that has been there: a mount hides the directory below it, and what either
 * of them has is known again when it comes back.
 */
export class DeviceFiles {
  /** In the order in which they were there last. */
  #states: readonly DeviceState[];

  constructor(device: bigint | null = null, known: KnownFiles = new KnownFiles()) {
    this.#states = [{ device, known }];
  }

  get states(): readonly DeviceState[] {
    return this.#states;
  }

  /** The device that is there. */
  get device(): bigint | null {
    return this.#current.device;
  }

  /** Its known files. */
  get current(): KnownFiles {
    return this.#current.known;
  }

  get isEmpty(): boolean {
    return this.#states.every(({ device, known }) => device === null && known.count === 0);
  }

  get count(): number {
    return this.#states.reduce((sum, { known }) => sum + known.count, 0);
  }

  /** Whether the file at `at` of `words` is known in exactly this state, on whichever device. */
  has(words: Uint32Array, at: number): boolean {
    for (const { known } of this.#states) if (known.compare(words, at) === "same") return true;
    return false;
  }

  /** These files of this device are known, wherever it is now. */
  set(words: Uint32Array, device: bigint | null): void {
    if (device !== null && device !== this.device && this.#find(device) === undefined)
      this.#states = [{ device, known: new KnownFiles() }, ...this.#states];
    (this.#find(device) ?? this.#current).known.set(words);
  }

  /** Forgets these names, on whichever device. */
  forget(words: Uint32Array): void {
    for (const { known } of this.#states) known.forget(words);
  }

  /** From now on this device is there. */
  use(device: bigint | null): void {
    if (device === null || device === this.device) return;
    if (this.device === null) this.renumber(null, device);
    const state = this.#find(device) ?? { device, known: new KnownFiles() };
    this.#states = [...this.#without(device), state].slice(-statesMax);
  }

  /** The device has another number now. */
  renumber(former: bigint | null, device: bigint): void {
    const found = this.#find(former);
    if (found === undefined || former === device) return;
    const present = this.#find(device);
    present?.known.set(found.known.words);
    this.#states =
      present === undefined
        ? this.#states.map((state) => (state === found ? { device, known: found.known } : state))
        : this.#without(former);
  }

  /** Forgets what is known of this device. */
  drop(device: bigint | null): void {
    const kept = this.#without(device);
    this.#states = kept.length === 0 ? [{ device: null, known: new KnownFiles() }] : kept;
  }

  /**
   * A complete look found these files on this device. A device with an unknown number is recognized by its files: then this
   * returns its former number, and null otherwise.
   */
  arrive(device: bigint, present: KnownFiles): bigint | null {
    const isNew = this.device !== null && this.#find(device) === undefined;
    const former = isNew ? this.#recognize(present) : undefined;
    if (former !== undefined) this.renumber(former.device, device);
    this.use(device);
    return former?.device ?? null;
  }

  get #current(): DeviceState {
    return this.#states.at(-1)!;
  }

  #find(device: bigint | null): DeviceState | undefined {
    return this.#states.find((state) => state.device === device);
  }

  #without(device: bigint | null): readonly DeviceState[] {
    return this.#states.filter((state) => state.device !== device);
  }

  #recognize(present: KnownFiles): DeviceState | undefined {
    let best: { readonly state: DeviceState; readonly count: number } | undefined;
    for (const state of this.#states) {
      const count = state.known.countSame(present);
      if (count > 0 && count >= (best?.count ?? 0)) best = { state, count };
    }
    return best?.state;
  }
}
