import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import type { JobDraft } from "./job-drafts.ts";
import { createTurns } from "./turns.ts";

/** A crontab may have thousands of jobs, and whoever scrolls through it would ask for all of them. */
const takeTurn = createTurns(4);

/** The next time of a job: null if it never comes, and undefined while it is not known. */
export function useNextTime({ expression, zone }: JobDraft): string | null | undefined {
  const { client } = useSession();
  // jobs with the same times ask once
  const read = useRead(
    ["preview", "next", expression, zone],
    (signal) =>
      takeTurn(async () => {
        const draft = { kind: "cron", expression: expression!, time_zone: zone } as const;
        const { occurrences } = await client.schedules.preview({ draft, count: 1 }, { signal });
        return { at: occurrences[0]?.instant ?? null };
      }, signal),
    { kinds: [], isWanted: expression !== null },
  );
  // a line that the daemon refuses has no time; the check says why
  return read.data?.at;
}
