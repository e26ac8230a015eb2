import { tempDir } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { rewriteRows } from "../../../../packages/server/tests/support/damage.ts";
import { type Harness, startDaemon } from "../../../../packages/server/tests/support/harness.ts";
import { startReceiver } from "../../../../packages/server/tests/support/receiver.ts";
import { startRemoteDaemon } from "../../../../packages/server/tests/support/remote.ts";
import { holdSocket } from "../support/held-socket.ts";
import { enrol } from "../support/enrol.ts";
import { openScreens, type Screens, useScreens } from "../support/open-screens.ts";
import { makeResources } from "./company-resources.ts";
import { take, visit } from "./take.ts";

const screens = useScreens();

const button = (ui: Screens, name: string | RegExp) => ui.page.getByRole("button", { name }).first();
const choose = async (ui: Screens, menu: string | RegExp, act: string): Promise<void> => {
  await button(ui, menu).click();
  await ui.page.getByRole("menuitem", { name: act }).click();
  await ui.page.getByRole("dialog").waitFor();
};

/** A dialog, and then the page without it. */
async function takeDialog(ui: Screens, name: string): Promise<void> {
  await ui.page.getByRole("dialog").waitFor();
  await take(ui, name);
  await ui.page.keyboard.press("Escape");
  await ui.page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Opens the page of a row. */
async function openRow(ui: Screens, row: RegExp, heading: string): Promise<void> {
  await ui.page.getByRole("row", { name: row }).first().click();
  await ui.page.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
  await ui.page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
}

interface Edited {
  readonly daemon: Harness;
  readonly what: "watcher" | "channel";
  /** Where the API lists what is edited. */
  readonly path: string;
  readonly of: string;
}

/** The form of a stored thing, and then what it says when somebody else has changed the thing. */
async function takeEdit(ui: Screens, { daemon, what, path, of }: Edited): Promise<void> {
  await visit(ui, `/${what}s`);
  await button(ui, `Actions of ${of}`).click();
  await ui.page.getByRole("menuitem", { name: "Edit" }).click();
  await ui.page.getByLabel("Name", { exact: true }).fill("Everything of this season");
  await take(ui, `${what}-edit`);
  const { json } = await daemon.call("GET", `/v1/${path}`);
  const { id } = json[path.replace("-", "_")].find(({ name }: { readonly name: string }) => name === of);
  await daemon.call("PATCH", `/v1/${path}/${id}`, { name: `${of} and more` });
  await ui.page.getByText(`Somebody changed this ${what} meanwhile`).waitFor();
  await take(ui, `${what}-edit-outdated`);
}

test("pictures of groups", async () => {
  await using daemon = await startDaemon();
  const make = async (body: object) => (await daemon.call("POST", "/v1/groups", body)).json;
  const shop = await make({ name: "Web shop", environment: { STAGE: "live", TOKEN: "secret" } });
  const offers = await make({ name: "Offers of the season", parent_id: shop.id });
  for (const name of ["Deploy the shop", "Import orders", "Rebuild the catalogue", "Send the invoices"])
    await daemon.call("POST", "/v1/tasks", { name, command: { kind: "shell", script: "true" }, group_id: shop.id });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await visit(ui, `/tasks?group=${shop.id}`);
  await button(ui, "More ▾").click();
  await take(ui, "group-menu");
  await page.keyboard.press("Escape");
  await choose(ui, "More ▾", "New group");
  await page.getByLabel("Name", { exact: true }).fill("Web shop");
  await button(ui, "Create the group").click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await take(ui, "group-new-error");
  await button(ui, "Cancel").click();
  await choose(ui, "More ▾", "Rename the group");
  await takeDialog(ui, "group-rename");
  await choose(ui, "More ▾", "Delete the group");
  await page.getByText("Only an empty group can be deleted").waitFor();
  await takeDialog(ui, "group-delete-full");
  await daemon.call("POST", `/v1/groups/${shop.id}/disable`);
  await page.getByText("No task in Web shop").waitFor();
  await take(ui, "group-disabled");
  await visit(ui, `/tasks?group=${offers.id}`);
  await take(ui, "group-empty");
  await choose(ui, "More ▾", "Delete the group");
  await page.getByText("The group is empty.").waitFor();
  await takeDialog(ui, "group-delete-empty");
  expect(ui.errors).toEqual([]);
});

test("pictures of triggers, watchers, channels and deliveries", async () => {
  await using inbox = await tempDir();
  await using receiver = await startReceiver();
  await using daemon = await startDaemon();
  const { task, trigger } = await makeResources(daemon, { inbox: inbox.path, receiver });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  // a form that was changed asks before it is left
  page.on("dialog", (asked) => void asked.accept());
  for (const name of ["triggers", "watchers", "channels", "deliveries"]) {
    await visit(ui, `/${name}`);
    await take(ui, `${name}-mixed`);
  }
  await visit(ui, "/deliveries?state=pending&channel=none");
  await take(ui, "deliveries-filtered");
  await visit(ui, "/deliveries");
  await openRow(ui, /Archive/, "Delivery to Archive");
  await take(ui, "delivery-failed");
  await visit(ui, "/deliveries");
  await openRow(ui, /Status page/, "Delivery to Status page");
  await take(ui, "delivery-payload");
  await visit(ui, "/deliveries");
  await button(ui, "Send failed ones again").click();
  await takeDialog(ui, "deliveries-again");

  await visit(ui, `/triggers/${trigger}`);
  await take(ui, "trigger-fired");
  await button(ui, "More ▾").click();
  await take(ui, "trigger-menu");
  await page.keyboard.press("Escape");
  for (const act of ["Fire now", "Rotate the key", "Delete"]) {
    await choose(ui, "More ▾", act);
    await takeDialog(ui, `trigger-${act.split(" ")[0]!.toLowerCase()}`);
  }
  await button(ui, "More ▾").click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("x".repeat(300));
  await button(ui, "Save").click();
  await page.getByRole("main").getByRole("alert").waitFor();
  await take(ui, "trigger-edit-error");
  await visit(ui, "/triggers/new");
  await page.getByLabel("Name").fill("Nightly build");
  await page.getByRole("combobox", { name: "Task" }).selectOption(task);
  await button(ui, "Create the trigger").click();
  await page.getByRole("region", { name: "Key" }).waitFor();
  await take(ui, "trigger-key");

  await visit(ui, "/watchers");
  await openRow(ui, /Returns/, "Returns");
  await take(ui, "watcher-missing");
  await choose(ui, "More ▾", "Delete");
  await takeDialog(ui, "watcher-delete");
  await takeEdit(ui, { daemon, what: "watcher", path: "filesystem-watchers", of: "Returns" });
  await takeEdit(ui, { daemon, what: "channel", path: "notification-channels", of: "Status page" });
  await visit(ui, "/channels");
  await openRow(ui, /On call/, "On call");
  await take(ui, "channel-data");
  await visit(ui, "/channels");
  await choose(ui, "Actions of Archive", "Delete");
  await takeDialog(ui, "channel-delete");
  await choose(ui, "Actions of Archive", "Replace its secrets");
  await takeDialog(ui, "channel-rotate");
  await button(ui, "New channel").click();
  await page.getByRole("heading", { name: "New channel" }).waitFor();
  await take(ui, "channel-new");
  await page.getByLabel("Name", { exact: true }).fill("Team chat");
  await page.getByLabel("Endpoint").fill("ftp://example.org");
  await button(ui, "Create the channel").click();
  await page.getByRole("alert").waitFor();
  await take(ui, "channel-error");
  await page.getByLabel("Endpoint").fill("https://chat.example.org/hooks/42");
  await button(ui, "Create the channel").click();
  await page.getByText(/^whsec_/).waitFor();
  await take(ui, "channel-secret");
  expect(ui.errors).toEqual([]);
});

test("pictures of access, of the audit trail and of connections", async () => {
  await using inbox = await tempDir();
  await using receiver = await startReceiver();
  await using local = await startDaemon();
  await using daemon = await startRemoteDaemon();
  const { actor, revoked } = await makeResources(daemon, { inbox: inbox.path, receiver });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await visit(ui, "/access");
  await take(ui, "access-mixed");
  await button(ui, "Pair a client").click();
  await take(ui, "pairing-form");
  await page.getByLabel("Name").fill("Laptop of Grace");
  await page.getByLabel("Capability").selectOption("observe");
  await button(ui, "Create the pairing").click();
  const made = page.getByRole("region", { name: "New pairing" });
  await made.waitFor();
  await page.getByRole("heading", { name: "Open pairings" }).waitFor();
  await take(ui, "pairing-made");
  const [invitation, phrase] = await made.locator("code").allInnerTexts();
  await button(ui, "Hide the phrase").click();
  await button(ui, "Withdraw").click();
  await takeDialog(ui, "pairing-withdraw");

  await using observer = await openScreens({ screens, socket: local.socketPath });
  await visit(observer, "/connections");
  const enrolment = { invitation: invitation!, name: "warehouse" };
  await enrol(observer, { ...enrolment, phrase: "six words that are not right" });
  await observer.page.getByRole("alert").first().waitFor();
  await take(observer, "connections-error");
  await enrol(observer, { ...enrolment, phrase: phrase! });
  await observer.page.getByText("observe, as Laptop of Grace").waitFor();
  await take(observer, "connections-remote");
  await button(observer, "Remove").click();
  await takeDialog(observer, "connections-remove");
  for (const name of ["triggers", "channels", "access", "triggers/new"]) {
    await visit(observer, `/${name}`);
    await take(observer, `${name.replace("/", "-")}-observe`);
  }

  await visit(ui, "/access");
  await page.getByRole("row", { name: /Laptop of Grace/ }).click();
  await page.getByRole("heading", { name: "Laptop of Grace" }).waitFor();
  await page.getByRole("button", { name: "Revoke" }).nth(1).waitFor();
  await take(ui, "actor-enrolled");
  await choose(ui, "More ▾", "Change the capability");
  await page.getByRole("combobox", { name: "Capability" }).selectOption("operate");
  await takeDialog(ui, "actor-capability");
  await visit(ui, `/access/${actor}`);
  await button(ui, "Revoke").click();
  await takeDialog(ui, "actor-revoke");
  await visit(ui, `/access/${revoked}`);
  await take(ui, "actor-revoked");
  await visit(ui, "/audit");
  await take(ui, "audit-mixed");
  await page
    .getByRole("row", { name: /triggers\.create/ })
    .first()
    .click();
  await takeDialog(ui, "audit-event");
  expect([...ui.errors, ...observer.errors]).toEqual([]);
});

test("pictures of resources that are read, that fail, and whose answers are lost", async () => {
  await using inbox = await tempDir();
  await using receiver = await startReceiver();
  await using daemon = await startDaemon();
  const { trigger } = await makeResources(daemon, { inbox: inbox.path, receiver });
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const paths = { channels: "/channels", deliveries: "/deliveries", trigger: `/triggers/${trigger}`, audit: "/audit" };
  for (const [name, path] of Object.entries(paths)) {
    await visit(ui, path);
    held.treat("hold");
    await page.reload();
    await page.getByRole("status", { name: "Loading" }).first().waitFor();
    await take(ui, `${name}-loading`);
    held.treat("pass");
    await visit(ui, path);
  }
  rewriteRows(daemon.dataDir, "ALTER TABLE actors RENAME TO actors_away");
  for (const [name, path] of Object.entries(paths)) {
    await ui.go(path);
    await page.reload();
    await page
      .getByRole("main")
      .getByText(/request req_/)
      .first()
      .waitFor();
    await take(ui, `${name}-error`);
  }
  rewriteRows(daemon.dataDir, "ALTER TABLE actors_away RENAME TO actors");
  await visit(ui, "/channels");
  await page.reload();
  await page.getByRole("row", { name: /On call/ }).waitFor();
  await choose(ui, "Actions of Archive", "Delete");
  held.treat("cut-changes");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("The result is unknown").waitFor();
  await take(ui, "channel-uncertain");
  held.treat("pass");
  await button(ui, "Look again").click();
  await page.getByText("It was done").waitFor();
  await take(ui, "channel-uncertain-looked");
  await page.keyboard.press("Escape");
  await visit(ui, "/watchers");
  await daemon.stop();
  await page.getByText("The daemon does not answer. What you see is from").waitFor();
  await take(ui, "watchers-offline");
  await ui.go("/specimen");
  await page.getByRole("heading", { name: "Specimen" }).waitFor();
  await take(ui, "specimen", 3_000);
  expect(ui.errors).toEqual([]);
});
