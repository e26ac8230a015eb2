import type { Run } from "@belfry/client";
import { useRead } from "../data/read.ts";
import { useSession } from "../data/session.tsx";
import type { Searched } from "./palette-problem.ts";

export interface FoundRuns {
  /** The runs whose id has the text. */
  readonly byId: readonly Run[];
  /** The newest runs of the task. */
  readonly ofTask: readonly Run[];
  readonly searched: readonly Searched[];
}

const wholeId = /^run_[0-9A-Za-z]{20}$/;
/** A word of a name rarely has digits, or capitals after small letters. */
const partOfId = /^run_[0-9A-Za-z]*$|^(?=.*(?:[0-9]|[a-z][A-Z]))[0-9A-Za-z]{5,20}$/;
/** The API finds a run by its whole id alone, so a part is looked for among so many of the newest runs. */
const searchedMax = 200;
const foundMax = 5;
const ofTaskMax = 3;

/** Finds runs by an id or a part of it, and the newest runs of a task. */
export function useFoundRuns(asked: string, taskId: string | undefined): FoundRuns {
  const { client } = useSession();
  const isWhole = wholeId.test(asked);
  const isPart = !isWhole && partOfId.test(asked);
  const whole = useRead(["palette", "run", asked], (signal) => client.runs.get(asked, { signal }), {
    kinds: ["run"],
    isWanted: isWhole,
  });
  const newest = useRead(["palette", "runs"], (signal) => client.runs.list({ limit: searchedMax }, { signal }), {
    kinds: ["run"],
    isWanted: isPart,
  });
  const ofTask = useRead(
    ["palette", "runs of task", taskId],
    (signal) => client.runs.list({ task_id: taskId!, limit: ofTaskMax }, { signal }),
    { kinds: ["run"], isWanted: asked !== "" && taskId !== undefined },
  );
  const parts = isPart && newest.data !== null ? newest.data.runs.filter(({ id }) => id.includes(asked)) : [];
  const byId = isWhole && whole.data !== null ? [whole.data] : parts.slice(0, foundMax);
  const ids = new Set(byId.map(({ id }) => id));
  return {
    byId,
    ofTask: asked === "" || taskId === undefined ? [] : (ofTask.data?.runs.filter(({ id }) => !ids.has(id)) ?? []),
    searched: [whole, newest, ofTask].map((read) => ({ what: "runs", read })),
  };
}
