import type { Harness } from "../../../../packages/server/tests/support/harness.ts";
import type { Screens } from "./open-screens.ts";

/**
 * Waits until the page Now hears of changes. The stream of events opens after the page has been read, and a daemon that ends
 * before was never heard of.
 */
export async function untilLive({ page }: Pick<Screens, "page">, { call }: Pick<Harness, "call">): Promise<void> {
  const rows = page.getByRole("region", { name: "Timeline" });
  // the first may be in what the page reads when it opens, and the second is not
  for (const name of ["Heard first", "Heard second"]) {
    await call("POST", "/v1/tasks", { name, command: { kind: "shell", script: "true" } });
    await rows.getByRole("link", { name, exact: true }).waitFor();
  }
}
