interface OfSet {
  readonly setId: string;
  readonly setName: string;
  /** For a deleted set, the number of members that were deleted with it. */
  readonly memberCount: number;
}

/** One fact for each change, however many members it concerns. */
export type TriggerSetFact =
  | ({ readonly name: "trigger_set.created" } & OfSet)
  | ({ readonly name: "trigger_set.updated"; readonly changed: readonly string[] } & OfSet)
  | ({ readonly name: "trigger_set.deleted"; readonly erases: true } & OfSet);
