import { describe, expect, test } from "vitest";
import { expectRefusal } from "../support/call.ts";
import { openTestApplication } from "../support/application.ts";

describe.each([
  ["/v1/audit", "since"],
  ["/v1/runs", "since"],
  ["/v1/agenda", "from"],
])("the span of %s", (path, begin) => {
  const ask = async (from: string, until: string) => {
    await using daemon = await openTestApplication();
    return await daemon.call("GET", `${path}?${begin}=${from}&until=${until}`);
  };

  test("is refused if it ends before it begins, or is empty, at its end's member", async () => {
    for (const until of ["2026-01-01T00:00:00Z", "2026-01-01T01:59:59.999+02:00", "2025-12-31T23:59:59.999Z"]) {
      const refused = await ask("2026-01-01T00:00:00Z", encodeURIComponent(until));
      expectRefusal(refused, "validation_failed", "until");
      expect(refused.json.error.message).toBe(`until must be later than \`${begin}\``);
    }
  });

  test("may be a millisecond, in any offset, or open at either end", async () => {
    expect((await ask("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.001Z")).status).toBe(200);
    expect((await ask("2026-01-01T02:00:00%2B02:00", "2026-01-01T00:00:00.001Z")).status).toBe(200);
    await using daemon = await openTestApplication();
    for (const query of [`${begin}=2026-01-01T00:00:00Z`, "until=2999-01-01T00:00:00Z"])
      expect((await daemon.call("GET", `${path}?${query}`)).status, query).toBe(200);
  });
});
