import type { AnyClient } from "../../any-client.ts";
import { limits } from "@belfry/contract";
import { recordsText } from "../../audit/export-file.ts";
import { type Mark, type TrailSource, verifyTrail } from "../../audit/verify-trail.ts";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { Failure, usage } from "../../failure.ts";
import { text } from "../../options.ts";

export const command = defineCommand({
  options: {
    head: text(
      "--head <number:hash>",
      "also check that the trail still contains this head, which you saved earlier from the daemon's log or from this command",
    ),
  },
  details:
    "Reads the whole audit trail, and recomputes its hashes. Exits with code 1 at the first break. docs/audit.md explains what this proves, and what to do after a break.",
  examples: [
    ["belfry audit verify", "check that no other program changed the audit trail"],
    ["belfry audit verify --head 5231:60303ae2...", "also check that the trail contains a head from the daemon's log"],
  ],
  run: async ({ connect, options, out }) => {
    const keptHead = options.head === undefined ? null : readHead(options.head);
    const client = await connect();
    let read = 0;
    using _progress = out.progress(() => `Read ${recordsText(read)}`);
    const verdict = await verifyTrail(
      readFrom(client, () => (read += 1)),
      keptHead,
    );
    if ("problem" in verdict)
      throw new Failure(exitCodes.failed, verdict.problem, {
        code: "audit_trail_broken",
        hint: 'Keep a copy of the data directory. "If it does not verify" in docs/audit.md says what to do next',
      });
    const { head, anchor, authenticated_since } = verdict.chain;
    out.answer({ events: verdict.events, head, anchor, authenticated_since }, () =>
      head === null
        ? "The audit trail is empty"
        : `The audit trail is intact: ${recordsText(verdict.events)}\nHead: ${head.number}:${head.hash}`,
    );
  },
});

/** Reads by lists, which the daemon does not record: an export would add to the trail that is verified. */
function readFrom(client: AnyClient, onEvent: () => void): TrailSource {
  return {
    chain: () => client.audit.chain(),
    events: async function* () {
      for await (const event of client.audit.list({ limit: limits.listMax })) {
        onEvent();
        yield event;
      }
    },
  };
}

function readHead(given: string): Mark {
  const match = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(given);
  if (match === null)
    throw usage(
      `--head must be a number and a hash, such as 5231:60303a..., not "${given}"`,
      "The daemon logs both as audit.head, and belfry audit verify prints them",
    );
  return { number: Number(match[1]), hash: match[2]! };
}
