import { limits } from "@belfry/contract";
import { recordsText, writeEvents, writeTo } from "../../audit/export-file.ts";
import { filterOptions, readFilters } from "../../audit/filters.ts";
import { defineCommand } from "../../command.ts";
import { requireFree } from "../../free-name.ts";
import { flag, integer, text } from "../../options.ts";
import { withoutUndefined } from "../../without-undefined.ts";

export const command = defineCommand({
  options: {
    ...filterOptions,
    limit: integer("-n, --limit <n>", `maximum number of records to export (default ${limits.listDefault})`, {
      min: 1,
      max: limits.listMax,
    }),
    all: flag("--all", "export all records"),
    output: text("-o, --output <file>", "write to this new file, which only you can read (default: standard output)"),
  },
  details: "Each line is one record as JSON, newest first. The audit trail records each export.",
  examples: [
    ["belfry audit export --all --output audit.ndjson", "export everything that the daemon keeps"],
    ["belfry audit export --all --since yesterday", "print the records since yesterday"],
  ],
  run: async ({ connect, options, host, out }) => {
    if (options.output !== undefined) requireFree(options.output);
    const filters = await readFilters(options, host);
    const client = await connect();
    const query = { ...(await filters(client)), ...withoutUndefined({ limit: options.limit }) };
    const { audit } = client;
    if (options.all === true) {
      const count = await writeTo(options.output, out, (write) => writeEvents(audit.export(query), write));
      if (options.output !== undefined) out.note(`Exported ${recordsText(count)}`);
      return;
    }
    const page = await audit.exportPage(query);
    const count = await writeTo(options.output, out, (write) => writeEvents(page.events, write));
    if (page.next_cursor !== null) out.note(`Exported the newest ${count}. Use --limit <n> or --all for more`);
  },
});
