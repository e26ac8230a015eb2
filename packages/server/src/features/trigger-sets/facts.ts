interface OfSet {
  readonly setId: string;
  readonly setName: string;
  /** Of a deleted set, as many as went with it. */
  readonly memberCount: number;
}

/** One of each change, however many members it concerns. */
export type TriggerSetFact =
  | ({ readonly name: "trigger_set.created" } & OfSet)
  | ({ readonly name: "trigger_set.updated"; readonly changed: readonly string[] } & OfSet)
  | ({ readonly name: "trigger_set.deleted"; readonly erases: true } & OfSet);
