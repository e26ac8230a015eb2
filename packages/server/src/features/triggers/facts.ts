/** Facts of a single trigger; a change of a whole trigger set is a fact of the set only. */
export type TriggerFact =
  | { readonly name: "trigger.created"; readonly triggerId: string }
  | { readonly name: "trigger.updated"; readonly triggerId: string; readonly changed: readonly string[] }
  | {
      readonly name: "trigger.deleted";
      readonly triggerId: string;
      readonly setId: string | null;
      readonly erases: true;
    };
export type TriggerDeleted = Extract<TriggerFact, { name: "trigger.deleted" }>;
