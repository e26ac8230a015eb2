import type { Group } from "@belfry/client";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo, useSyncExternalStore } from "react";
import { useKeys } from "../../app/keys.ts";
import { classNames } from "../../components/class-names.ts";
import { FirstUse, Shown, SkeletonRows } from "../../components/states.tsx";
import { Page } from "../../components/page.tsx";
import { PartProblem } from "../../components/part-problem.tsx";
import { dateOf, laterDate } from "../../data/dates.ts";
import { useLate } from "../../data/late.ts";
import { useZone } from "../../data/preferences.ts";
import { useGroups } from "../../data/groups.ts";
import { count, formatDay, isZone } from "../../data/words.ts";
import { DayList } from "./day-list.tsx";
import { type DayCount, periodsOf, spans } from "./days.ts";
import { type AgendaSearch, Filters } from "./filters.tsx";
import { Held } from "./held.tsx";
import { type AgendaFilter, LeftOut } from "./left-out.tsx";
import { useAgenda } from "./use-agenda.tsx";

const route = getRouteApi("/agenda");
/** How many times of a day are shown: fewer where there are many days. */
const dayMax = { 1: 1_000, 7: 200, 31: 100 } as const;

/** What runs when, in any zone. */
export function AgendaPage(): ReactNode {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/agenda" });
  const ownZone = useZone();
  const zone = search.zone !== undefined && isZone(search.zone) ? search.zone : ownZone;
  const days: DayCount = spans.find((span) => String(span) === search.days) ?? 1;
  const today = useToday(zone);
  const periods = useMemo(() => periodsOf(search.from, { days, zone, today }), [search.from, days, zone, today]);
  const { date: first } = periods[0]!;
  const filter = useMemo<AgendaFilter>(
    () => ({
      ...(search.task === undefined ? {} : { task_id: search.task }),
      ...(search.group === undefined ? {} : { group_id: search.group }),
    }),
    [search.task, search.group],
  );
  // the days that pass by themselves are no other question
  const question = JSON.stringify([filter, search.from, days, zone]);
  const read = useAgenda({ filter, periods, dayMax: dayMax[days], question });
  // an answer that comes at once dims nothing
  const isDim = useLate(read.isFormer, 150) && read.isFormer;
  const rest = read.error === null && <SkeletonRows />;
  const groups = useGroups();
  const change = (wanted: { readonly [K in keyof AgendaSearch]: string | undefined }): void =>
    void navigate({
      replace: true,
      search: (former) =>
        Object.fromEntries(Object.entries({ ...former, ...wanted }).filter(([, value]) => value !== undefined)),
    });
  useKeys([
    { key: "]", text: "Show later days", act: () => change({ from: laterDate(first, days) }) },
    {
      key: "[",
      text: "Show earlier days",
      act: () => {
        const date = laterDate(first, -days);
        change({ from: date <= today ? undefined : date });
      },
    },
  ]);
  return (
    <Page
      title="Agenda"
      filters={
        <Filters
          search={search}
          first={first}
          today={today}
          days={days}
          zone={zone}
          groups={groups.data ?? noGroups}
          onChange={change}
        />
      }
    >
      <Held />
      <PartProblem read={groups} title="Groups" />
      {read.readers}
      <Shown read={read} what="Looking at the agenda">
        {({ agenda, question: answered, hasMore }) => (
          <div
            aria-busy={read.isFormer || undefined}
            className={classNames("flex min-w-0 flex-col gap-4", isDim && "**:text-muted!")}
          >
            <DayList
              agenda={agenda}
              question={answered}
              zone={zone}
              onSeen={read.onSeen}
              rest={hasMore && rest}
              empty={
                read.isFormer || hasMore ? (
                  rest
                ) : (
                  <FirstUse title="Nothing is scheduled" command="belfry schedule add --help">
                    No schedule has a time {days === 1 ? "on" : `in the ${count(days, "day")} from`}{" "}
                    {formatDay(periods[0]!.until, zone)}. Look at more days, or give a task a schedule.
                  </FirstUse>
                )
              }
            />
            {!agenda.complete && (
              <p className="text-attention">
                A day has more times than the {count(dayMax[days], "one")} that are shown. Choose fewer days, a task or
                a group to see the others.
              </p>
            )}
            <LeftOut agenda={agenda} filter={filter} groups={groups.data ?? noGroups} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

const noGroups: readonly Group[] = [];

/** The day in a zone. The page is drawn again when another one begins. */
function useToday(zone: string): string {
  return useSyncExternalStore(everyMinute, () => dateOf(Date.now(), zone));
}

function everyMinute(listener: () => void): () => void {
  const timer = setInterval(listener, 60_000);
  return () => clearInterval(timer);
}
