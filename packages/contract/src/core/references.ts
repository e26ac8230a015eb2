import { z } from "zod";
import { limits } from "./limits.ts";
import { ofForm } from "./predicates.ts";

/** One id of each kind, for examples. */
export const exampleIds = {
  actor: "act_Lm4Xc9TzRb2Wq7VnKs0P",
  credential: "crd_Xk3Wd8LvQp5Zt1JmRs6B",
  pairing: "par_Wd5Kz8QmTx2Rv7JbNc4H",
  group: "grp_7Kq2mXv0Rz9tYb4LwNcD",
  hold: "hld_Gs6Yb1QfWn8Tc3ZrKx5J",
  task: "tsk_4fzH1TqWb8YkV0c2LxNd",
  schedule: "sch_Zp3nG6sJd1Qx8uE5aTvM",
  run: "run_0hB9yCkR4wUe7fLi2oSg",
  trigger: "trg_Rw7Hc0PzKd3Vn9XyLm2Q",
  trigger_set: "set_Jb6Tq1WfUs8Ec4OaNv0G",
  chain: "chn_Qe8Wz2LrTy5Nc0VhKs7D",
  filesystem_watcher: "wch_Hd5Yk2NsVe9Ub7RfGx3C",
  import: "imp_Tn5vDq8KzXr1Wm6JbHfA",
  notification_channel: "nch_9sQf2LwYb7Rk4TzXc0Nd",
  notification_delivery: "dlv_3gMv8JhPq6Ws1YbKt5Xe",
} as const;
export type ResourceKind = keyof typeof exampleIds;

/**
 * Makes the schema of an id that a request refers to. Ids are opaque, so any text may be one: an unknown id is a
 * missing resource, not an invalid request.
 */
export function referenceTo(kind: ResourceKind) {
  const example = exampleIds[kind];
  return z
    .string(ofForm(`must be an id such as ${example}`))
    .min(1)
    .max(limits.idCharactersMax)
    .meta({ description: `The id of ${withArticle(kind.replaceAll("_", " "))}`, examples: [example] });
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** The path parameters of every operation on one resource. */
export const IdParams = z.object({ id: z.string().min(1) });
