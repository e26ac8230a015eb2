export type GroupFact =
  | { readonly name: "group.created"; readonly groupId: string }
  | { readonly name: "group.updated"; readonly groupId: string; readonly changed: readonly string[] }
  | { readonly name: "group.deleted"; readonly groupId: string };
export type GroupDeleted = Extract<GroupFact, { name: "group.deleted" }>;
