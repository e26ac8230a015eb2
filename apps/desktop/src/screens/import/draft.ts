import { type Client, isApiError } from "@belfry/client";
import {
  type CheckedPlan,
  type CrontabForm,
  type CrontabLine,
  type CrontabPlan,
  cronEnvironment,
  parseCrontab,
  planChecked,
  planImport,
  type PlanOptions,
} from "@belfry/crontab";

/** What somebody wants to import, and how. */
export interface Draft {
  readonly text: string;
  readonly form: CrontabForm;
  readonly group: string;
  /** The id of the group that is to contain the new one; empty for none. */
  readonly parent: string;
  readonly source: string;
  readonly runAsMe: boolean;
  readonly catchUp: boolean;
  readonly noOverlap: boolean;
}

export const emptyDraft: Draft = {
  text: "",
  form: "user",
  group: "crontab",
  parent: "",
  source: "a pasted crontab",
  runAsMe: false,
  catchUp: false,
  noOverlap: false,
};

/** The lines of a draft. A text that was pasted may lack the end of its last line, which cron would refuse in a file. */
export function linesOf({ text, form }: Draft): readonly CrontabLine[] {
  const ended = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return parseCrontab(ended.replaceAll("\r\n", "\n"), form);
}

/** The plan of a draft, as far as the page can tell: the daemon knows the zones, the names and the users. */
export function planOf(draft: Draft, lines: readonly CrontabLine[]): CrontabPlan {
  return planImport(lines, optionsOf(draft));
}

function optionsOf({ group, parent, source, runAsMe, catchUp, noOverlap }: Draft): PlanOptions {
  return {
    groupName: group.trim(),
    parentId: parent === "" ? null : parent,
    source,
    // cron's own values; those of /etc/environment are known on the daemon's machine alone
    cronEnvironment: cronEnvironment(""),
    owner: null,
    // the daemon itself refuses the jobs of others if it may not run them
    daemonUser: { name: "the daemon's user", isRoot: true },
    unknownUsers: new Set(),
    userWords: new Map(),
    runAsMe,
    catchUp,
    noOverlap,
  };
}

/** Asks the daemon, without importing anything. Each line that it refuses is marked, so that all are seen at once. */
export function checkDraft(client: Client, draft: Draft): Promise<CheckedPlan> {
  return planChecked(linesOf(draft), optionsOf(draft), async (body) => {
    try {
      await client.import.create(body);
      return null;
    } catch (error) {
      if (!isApiError(error, "validation_failed")) throw error;
      return { field: error.field, message: error.message };
    }
  });
}
