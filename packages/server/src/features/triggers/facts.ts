/** Of one trigger by itself; what happens to a whole Trigger Set is the set's fact alone. */
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
