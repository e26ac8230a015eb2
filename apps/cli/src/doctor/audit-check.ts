import type { Client } from "@belfry/client";
import { formatLocal } from "../output/time.ts";
import type { Finding } from "./finding.ts";

const subject = "audit";

/** Whether the daemon has found that another program changed the audit trail. It checks both ends for this answer. */
export async function checkAudit(client: Client): Promise<Finding> {
  const { head, tampered_at: tamperedAt } = await client.audit.chain();
  if (tamperedAt !== null)
    return {
      subject,
      level: "bad",
      text: `the daemon found at ${formatLocal(tamperedAt)} that another program had changed the audit trail. Keep a copy of the data directory, and run: belfry audit verify. "If it does not verify" in docs/audit.md says what to do next`,
    };
  const newest = head === null ? "the trail is empty" : `the newest record is ${head.number}`;
  return { subject, level: "good", text: `the daemon has found no change by another program; ${newest}` };
}
