import { type Client, isApiError } from "@belfry/client";
import { holdHint } from "../views/hold.ts";
import type { Finding } from "./finding.ts";

const subject = "holds";

/** Tasks that do not start because someone holds them. An older daemon has no holds. */
export async function checkHolds(client: Client): Promise<Finding> {
  const none: Finding = { subject, level: "good", text: "no task is held" };
  try {
    const { holds } = await client.holds.list();
    if (holds.length === 0) return none;
    const texts = holds.map(holdHint);
    return { subject, level: "warn", text: texts.join("; ") };
  } catch (error) {
    if (isApiError(error, "not_found")) return none;
    throw error;
  }
}
