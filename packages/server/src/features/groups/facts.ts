export type GroupFact =
  | { readonly name: "group.created"; readonly groupId: string }
  | { readonly name: "group.updated"; readonly groupId: string; readonly changed: readonly string[] }
  /** The group's row is removed at the end of the write, after the rows that refer to it. */
  | { readonly name: "group.deleting"; readonly groupId: string }
  | { readonly name: "group.deleted"; readonly groupId: string; readonly erases: true };
export type GroupDeleting = Extract<GroupFact, { name: "group.deleting" }>;
