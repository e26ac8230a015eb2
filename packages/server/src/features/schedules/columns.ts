import {
  formatDuration,
  type Dst,
  type Misfire,
  type ScheduleCreate,
  type ScheduleDraft,
  type SchedulePatch,
} from "@belfry/contract";
import { invalid } from "../../kernel/errors/errors.ts";
import { durationMs } from "../../kernel/time/duration.ts";
import { formatInstant, type Instant, parseInstant } from "../../kernel/time/time.ts";
import type { ScheduleRow } from "./table.ts";
import { checkZone, type TimingColumns } from "./timing-cache.ts";

type WrittenColumns = Omit<TimingColumns, "createdAt" | "cursorAt"> &
  Pick<ScheduleRow, "timeZone" | "jitterMs" | "spread" | "misfirePolicy" | "misfireWindowMs" | "misfireRunsMax">;

const defaultDst: Dst = { gap: "run_after", overlap: "first" };

/** Returns the columns of a new schedule. */
export function writtenColumns(input: ScheduleDraft | ScheduleCreate, now: Instant): WrittenColumns {
  const startsAt = instantOf(input.starts_at);
  const everyMs = input.kind === "interval" ? durationMs(input.every) : null;
  return {
    kind: input.kind,
    expression: input.kind === "cron" ? input.expression : null,
    everyMs,
    at: input.kind === "once" ? parseInstant(input.at) : null,
    timeZone: input.kind === "cron" ? zoneOf(input.time_zone) : null,
    jitterMs: durationMs(input.jitter),
    spread: checkSpread(input.kind, input.spread),
    ...misfireColumns(input.misfire),
    ...dstColumns(input.kind === "cron" ? input.dst : defaultDst),
    startsAt,
    endsAt: instantOf(input.ends_at),
    anchorAt: startsAt ?? now,
  };
}

const kindOfMember = { expression: "cron", every: "interval", at: "once", time_zone: "cron", dst: "cron" } as const;

/** Returns the columns that a patch changes; throws for a member of another kind. */
export function patchedColumns(row: ScheduleRow, patch: SchedulePatch, now: Instant): Partial<ScheduleRow> {
  for (const [member, kind] of Object.entries(kindOfMember)) {
    if (patch[member as keyof typeof kindOfMember] !== undefined && row.kind !== kind) {
      throw invalid(
        member,
        `${member} is only for schedules of kind ${kind}, and this one is of kind ${row.kind}: create a new schedule`,
      );
    }
  }
  const columns: Partial<ScheduleRow> = {};
  if (patch.expression !== undefined) columns.expression = patch.expression;
  if (patch.every !== undefined) columns.everyMs = durationMs(patch.every);
  if (patch.at !== undefined) columns.at = parseInstant(patch.at);
  if (patch.time_zone !== undefined) columns.timeZone = zoneOf(patch.time_zone);
  if (patch.dst !== undefined) Object.assign(columns, dstColumns(patch.dst));
  if (patch.jitter !== undefined) columns.jitterMs = durationMs(patch.jitter);
  if (patch.spread !== undefined) columns.spread = checkSpread(row.kind, patch.spread);
  if (patch.misfire !== undefined) Object.assign(columns, misfireColumns(patch.misfire));
  if (patch.starts_at !== undefined) columns.startsAt = instantOf(patch.starts_at);
  if (patch.ends_at !== undefined) columns.endsAt = instantOf(patch.ends_at);
  if (patch.enabled !== undefined) columns.enabled = patch.enabled;
  return { ...columns, anchorAt: anchorAfter(row, columns, now) };
}

/**
 * Returns the time that an interval is counted from: `starts_at`, or else the creation. A new length is counted from
 * its change, unless the start is in the future. Clearing `starts_at` removes the bound and keeps the anchor.
 */
function anchorAfter(row: ScheduleRow, change: Partial<ScheduleRow>, now: Instant): Instant {
  const startsAt = change.startsAt === undefined ? row.startsAt : change.startsAt;
  const isOtherLength = change.everyMs !== undefined && change.everyMs !== row.everyMs;
  const isOtherStart = startsAt !== row.startsAt;
  if (startsAt !== null && (isOtherStart || (isOtherLength && startsAt > now))) return startsAt;
  return isOtherLength ? now : row.anchorAt;
}

/** Returns the default name of a schedule, which is short enough to append a number. */
export function describeTiming(columns: Pick<ScheduleRow, "kind" | "expression" | "everyMs" | "at">): string {
  switch (columns.kind) {
    case "cron": {
      const expression = (columns.expression ?? "").trim().replaceAll(/\s+/g, " ");
      return expression.length > 150 ? `${expression.slice(0, 150)}…` : expression;
    }
    case "interval":
      return `every ${formatDuration(columns.everyMs ?? 0)}`;
    case "once":
      return `at ${formatInstant(columns.at ?? 0)}`;
    case "boot":
      return "at boot";
  }
}

function checkSpread(kind: ScheduleRow["kind"], spread: boolean): boolean {
  if (!spread || kind === "cron" || kind === "interval") return spread;
  throw invalid(
    "spread",
    `spread is only for schedules of the kinds cron and interval, and this one is of kind ${kind}: use \`jitter\` to delay its run`,
  );
}

function misfireColumns(misfire: Misfire) {
  return {
    misfirePolicy: misfire.policy,
    misfireWindowMs: durationMs(misfire.window),
    misfireRunsMax: misfire.max_runs,
  };
}

function dstColumns(dst: Dst) {
  return { dstGap: dst.gap, dstOverlap: dst.overlap };
}

function zoneOf(zone: string | null): string | null {
  return zone === null ? null : checkZone(zone, "time_zone");
}

function instantOf(text: string | null): Instant | null {
  return text === null ? null : parseInstant(text);
}
