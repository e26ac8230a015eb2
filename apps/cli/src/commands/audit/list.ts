import type { AuditEvent } from "@belfry/client";
import { limits } from "@belfry/contract";
import { filterOptions, readFilters } from "../../audit/filters.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { flag, integer, text } from "../../options.ts";
import type { Column } from "../../output/table.ts";

const shownDefault = 20;

const columns: readonly Column<AuditEvent>[] = [
  { title: "WHEN", text: ({ at }) => at, isTime: true },
  { title: "ACTOR", text: ({ actor_name }) => actor_name, isFlexible: true },
  { title: "OPERATION", text: ({ operation }) => operation },
  {
    title: "RESULT",
    text: ({ result, error_code }) => (error_code === null ? result : `${result}: ${error_code}`),
    color: ({ result }) => (result === "allowed" ? "good" : "bad"),
  },
  { title: "RESOURCE", text: ({ resource_id }) => resource_id ?? "-" },
  { title: "CHANGED FIELDS", text: ({ changed_fields }) => changed_fields.join(" "), isFlexible: true, isSpare: true },
];

export const command = defineCommand({
  options: {
    ...filterOptions,
    limit: integer("-n, --limit <n>", `maximum number of records to show (default ${shownDefault})`, {
      min: 1,
      max: limits.listMax,
    }),
    all: flag("--all", "show all records"),
    cursor: text(
      "--cursor <cursor>",
      "continue after an earlier page: give the next_cursor that --json printed for it",
    ),
  },
  details:
    "The record of an import, such as of a task that was added with its schedule, names the import: belfry import show <id> lists what it created.",
  examples: [
    ["belfry audit list", "list the newest records"],
    ["belfry audit list --operation tasks.update --since yesterday", "list who changed tasks since yesterday"],
    ["belfry audit list --actor Board --result denied", "list what an actor was refused"],
    ["belfry audit list --resource tsk_4fzH1TqWb8YkV0c2LxNd", "list what happened to one task"],
  ],
  run: async ({ connect, options, host, out }) => {
    const filters = await readFilters(options, host);
    const isWhole = options.all === true;
    const client = await connect();
    const page = await client.audit.list({
      ...(await filters(client)),
      ...withoutUndefined({ cursor: options.cursor }),
      limit: options.limit ?? (isWhole ? limits.listMax : shownDefault),
    });
    await out.list(page, { plural: "audit_events", isWhole, columns, empty: "No records match" });
  },
});
