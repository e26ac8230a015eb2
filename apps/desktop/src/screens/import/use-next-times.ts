import { useMemo } from "react";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import type { CrontabPlan } from "@belfry/crontab";
import { draftsOf, type JobDraft, keyOfDraft } from "./job-drafts.ts";

/** The next times of more jobs than this are not looked up. */
const lookedUpMax = 50;

/** The next time of each job of a plan, by the key of its draft; null until it is known. */
export function useNextTimes(plan: CrontabPlan | null): ReadonlyMap<string, string | null> | null {
  const { client } = useSession();
  const drafts = useMemo(() => {
    const jobs = plan === null ? [] : [...draftsOf(plan).values()].filter(({ expression }) => expression !== null);
    return [...new Map(jobs.map((job) => [keyOfDraft(job), job])).values()].slice(0, lookedUpMax);
  }, [plan]);
  const next = async ({ expression, zone }: JobDraft, signal: AbortSignal): Promise<readonly (string | null)[]> => {
    const draft = { kind: "cron", expression: expression!, time_zone: zone } as const;
    // a line that the daemon refuses has no time; the check says why
    const preview = await client.schedules.preview({ draft, count: 1 }, { signal }).catch(() => null);
    return preview === null ? [] : [preview.occurrences[0]?.instant ?? null];
  };
  const read = useRead(
    ["preview", "crontab", drafts.map(keyOfDraft)],
    async (signal) => {
      const found = await Promise.all(drafts.map(async (job) => [keyOfDraft(job), await next(job, signal)] as const));
      return new Map(found.flatMap(([key, [instant]]) => (instant === undefined ? [] : [[key, instant] as const])));
    },
    { kinds: [], isWanted: drafts.length > 0, keepsFormer: true },
  );
  return read.data;
}
