import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as pageNames from "../../../desktop/src/shell/browser-names.ts";
import * as serverNames from "../../src/ui/names.ts";
import { startUi } from "./start-ui.ts";

test("the page and the server use the same names", () => {
  const { sessionHeader, profileHeader, errorHeader, tokenFragment } = pageNames;
  expect(serverNames).toMatchObject({ sessionHeader, profileHeader, errorHeader, tokenFragment });
  expect(serverNames.apiPrefix.startsWith(`${pageNames.apiPath}/`)).toBe(true);
});

test("the choices are in a file of this user, and a damaged one is as if there were none", async () => {
  await using ui = await startUi();
  const page = await ui.open();
  expect((await page.call("PUT", "/shell/preferences/theme", "dark")).status).toBe(204);
  expect((await page.call("PUT", "/shell/preferences/zone", null)).status).toBe(204);
  const file = join(ui.environment["XDG_CONFIG_HOME"]!, "belfry", "screens.json");
  expect([statSync(file).mode & 0o777, JSON.parse(readFileSync(file, "utf8"))]).toEqual([
    0o600,
    { theme: "dark", zone: null },
  ]);
  expect((await page.call("DELETE", "/shell/preferences/zone")).status).toBe(204);
  expect((await page.call("GET", "/shell/preferences")).json).toEqual({ preferences: { theme: "dark" } });
  writeFileSync(file, "{");
  expect((await page.call("GET", "/shell/preferences")).json).toEqual({ preferences: {} });
  chmodSync(file, 0o644);
  expect((await page.call("GET", "/shell/preferences")).status).toBe(403);
});

test.each(["__proto__", "Theme", "a b", "", "x".repeat(81)])("a choice cannot be named %j", async (name) => {
  await using ui = await startUi();
  const page = await ui.open();
  const got = await page.call("PUT", `/shell/preferences/${encodeURIComponent(name)}`, 1);
  expect([400, 404]).toContain(got.status);
  expect((await page.call("GET", "/shell/preferences")).json).toEqual({ preferences: {} });
});

test("the choices are bounded in number", async () => {
  await using ui = await startUi();
  const page = await ui.open();
  for (let count = 0; count < 64; count += 1)
    expect((await page.call("PUT", `/shell/preferences/n${count}`, count)).status).toBe(204);
  expect((await page.call("PUT", "/shell/preferences/one-more", 1)).status).toBe(400);
  expect((await page.call("PUT", "/shell/preferences/n0", 1)).status).toBe(204);
});

test("an enrolment with members that do not exist, or that are no texts, is refused before anything is sent", async () => {
  await using ui = await startUi();
  const page = await ui.open();
  for (const [body, field] of [
    [{ invitation: "x", phrase: "y", address: "z" }, "address"],
    [{ invitation: 1, phrase: "y" }, "invitation"],
    [{ phrase: "y" }, "invitation"],
    [{ invitation: "x", phrase: " " }, "phrase"],
    [{ invitation: "x", phrase: "y", capability: "root" }, "capability"],
    [[], null],
  ] as const) {
    const got = await page.call("POST", "/shell/profiles", body);
    expect([got.status, got.json.error.field]).toEqual([400, field]);
  }
  expect((await page.call("DELETE", "/shell/profiles/local")).status).toBe(400);
  expect((await page.call("DELETE", "/shell/profiles/none")).status).toBe(404);
});

test("more sessions than anybody needs end the oldest", async () => {
  await using ui = await startUi();
  const first = await ui.open();
  for (let count = 0; count < 31; count += 1) await ui.open();
  expect((await first.call("GET", "/shell/about")).status).toBe(200);
  const last = await ui.open();
  expect((await first.call("GET", "/shell/about")).status).toBe(401);
  expect((await last.call("GET", "/shell/about")).status).toBe(200);
});
