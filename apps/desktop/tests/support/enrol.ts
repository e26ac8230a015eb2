import type { Capability } from "@belfry/contract";
import type { Harness, Json } from "../../../../packages/server/tests/support/harness.ts";
import type { Screens } from "./open-screens.ts";

/** Pairs a client named `Laptop`. Returns the answer, with the invitation and the phrase. */
export async function pairLaptop(daemon: Pick<Harness, "call">, capability: Capability): Promise<Json> {
  const { json } = await daemon.call("POST", "/v1/access/pairings", { name: "Laptop", capability, kind: "cli" });
  return json;
}

export interface Enrolment {
  readonly invitation: string;
  readonly phrase: string;
  /** The name of the connection. */
  readonly name: string;
}

/** Fills in the form of the page Connections, which is shown, and sends it. Called again, it replaces what was typed. */
export async function enrol({ page }: Screens, { invitation, phrase, name }: Enrolment): Promise<void> {
  const field = page.getByLabel("Invitation");
  if (!(await field.isVisible())) await page.getByRole("button", { name: "Enrol with a daemon" }).click();
  await field.fill(invitation);
  await page.getByLabel("Phrase").fill(phrase);
  await page.getByLabel("Name (optional)").fill(name);
  await page.getByRole("button", { name: "Enrol", exact: true }).click();
}
