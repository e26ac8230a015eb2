import type { Group } from "@belfry/client";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { useKeys } from "../../app/keys.ts";
import { classNames } from "../../components/class-names.ts";
import { FirstUse, Shown, SkeletonRows } from "../../components/states.tsx";
import { Page } from "../../components/page.tsx";
import { PartProblem } from "../../components/part-problem.tsx";
import { dateOf, laterDate } from "../../data/dates.ts";
import { useLate } from "../../data/late.ts";
import { useNow } from "../../data/now.ts";
import { useZone } from "../../data/preferences.ts";
import { useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { count, formatDay, isZone } from "../../data/words.ts";
import { DayList } from "./day-list.tsx";
import { type DayCount, type Period, joinAgendas, periodsOf, spans } from "./days.ts";
import { type AgendaSearch, Filters } from "./filters.tsx";
import { Held } from "./held.tsx";
import { type AgendaFilter, LeftOut } from "./left-out.tsx";

const route = getRouteApi("/agenda");
/** How many times of a day are shown: fewer where there are many days. */
const dayMax = { 1: 1_000, 7: 200, 31: 100 } as const;
const minute = 60_000;

/** What runs when, in any zone. */
export function AgendaPage(): ReactNode {
  const { client } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/agenda" });
  const ownZone = useZone();
  const now = useMinute();
  const zone = search.zone !== undefined && isZone(search.zone) ? search.zone : ownZone;
  const days: DayCount = spans.find((span) => String(span) === search.days) ?? 1;
  const periods = periodsOf(search.from, { days, zone, now });
  const [{ date: first, from }] = periods as [Period];
  const filter = useMemo<AgendaFilter>(
    () => ({
      ...(search.task === undefined ? {} : { task_id: search.task }),
      ...(search.group === undefined ? {} : { group_id: search.group }),
    }),
    [search.task, search.group],
  );
  const questions = periods.map((period) => ({
    ...filter,
    collapse: true,
    limit: dayMax[days],
    ...(period.from === null ? {} : { from: new Date(period.from).toISOString() }),
    until: new Date(period.until).toISOString(),
  }));
  // the days that pass by themselves are no other question
  const question = JSON.stringify([filter, search.from, days, zone]);
  const read = useRead(
    ["agenda", questions],
    async (signal) => ({
      question,
      agenda: joinAgendas(await Promise.all(questions.map((one) => client.schedules.agenda(one, { signal })))),
    }),
    { kinds: ["schedule", "task", "group", "hold"], everyMs: minute, keepsFormer: true },
  );
  // an answer that comes at once dims nothing
  const isDim = useLate(read.isFormer, 150) && read.isFormer;
  const groups = useRead(["groups", "some"], (signal) => client.groups.list({ limit: 1_000 }, { signal }), {
    kinds: ["group"],
  });
  const change = (wanted: { readonly [K in keyof AgendaSearch]: string | undefined }): void =>
    void navigate({
      replace: true,
      search: (former) =>
        Object.fromEntries(Object.entries({ ...former, ...wanted }).filter(([, value]) => value !== undefined)),
    });
  const today = dateOf(now, zone);
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
          groups={groups.data?.groups ?? noGroups}
          onChange={change}
        />
      }
    >
      <Held />
      <PartProblem read={groups} title="Groups" />
      <Shown read={read} what="Looking at the agenda">
        {({ agenda, question: answered }) => (
          <div
            aria-busy={read.isFormer || undefined}
            className={classNames("flex min-w-0 flex-col gap-4", isDim && "**:text-muted!")}
          >
            <DayList
              agenda={agenda}
              question={answered}
              zone={zone}
              empty={
                read.isFormer ? (
                  <SkeletonRows />
                ) : (
                  <FirstUse title="Nothing is scheduled" command="belfry schedule add --help">
                    No schedule has a time {days === 1 ? "on" : `in the ${count(days, "day")} from`}{" "}
                    {formatDay(from ?? now, zone)}. Look at more days, or give a task a schedule.
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
            <LeftOut agenda={agenda} filter={filter} groups={groups.data?.groups ?? noGroups} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

const noGroups: readonly Group[] = [];

/** The time, which moves every minute: the agenda is not another one each second. */
function useMinute(): number {
  return Math.floor(useNow() / minute) * minute;
}
