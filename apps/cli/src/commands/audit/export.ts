import { limits } from "@belfry/contract";
import { writeEvents, writeTo } from "../../audit/export-file.ts";
import { filterOptions, readFilters } from "../../audit/filters.ts";
import { defineCommand } from "../../command.ts";
import { flag, integer, text } from "../../options.ts";
import { withoutUndefined } from "../../without-undefined.ts";

export const command = defineCommand({
  options: {
    ...filterOptions,
    limit: integer("-n, --limit <n>", `maximum number of operations to export (default ${limits.listDefault})`, {
      min: 1,
      max: limits.listMax,
    }),
    all: flag("--all", "export all operations"),
    output: text("-o, --output <file>", "write to this file, which only you can read (default: standard output)"),
  },
  details: "Each line is one operation as JSON, newest first. The audit trail records each export.",
  examples: [
    ["belfry audit export --all --output audit.ndjson", "export everything that the daemon keeps"],
    ["belfry audit export --all --since yesterday", "print the operations since yesterday"],
  ],
  run: async ({ connect, options, host, out }) => {
    const query = { ...readFilters(options, host), ...withoutUndefined({ limit: options.limit }) };
    const { audit } = await connect();
    if (options.all === true) {
      const count = await writeTo(options.output, out, (write) => writeEvents(audit.export(query), write));
      if (options.output !== undefined) out.note(`Exported ${count} operations`);
      return;
    }
    const page = await audit.exportPage(query);
    const count = await writeTo(options.output, out, (write) => writeEvents(page.events, write));
    if (page.next_cursor !== null) out.note(`Exported the newest ${count}. Use --limit <n> or --all for more`);
  },
});
