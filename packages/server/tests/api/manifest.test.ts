import { hostname } from "node:os";
import { expect, test } from "vitest";
import { startDaemon } from "../support/harness.ts";
import { everything, query } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";

test("the manifest names the installation, its versions and its capabilities, and nothing about the machine's owner", async () => {
  await using daemon = await openTestApplication();
  const { json, text } = await daemon.call("GET", "/v1/manifest");
  expect(json).toEqual({
    installation_id: expect.stringMatching(/^ins_[0-9A-Za-z]{20}$/),
    display_name: "Belfry",
    product_version: "1.4.0-test",
    protocol_versions: { local: "v1", remote: null },
    operating_mode: "local_only",
    capabilities: [...(json.capabilities as string[])].sort(),
    platform: { os: process.platform, arch: process.arch, runtime: `node ${process.versions.node}` },
    revision: 1,
  });
  for (const fact of [hostname(), daemon.dataDir, process.env["USER"] ?? "no user"]) expect(text).not.toContain(fact);
});

test("the identity survives a restart, and so does a rename", async () => {
  await using daemon = await startDaemon();
  const renamed = await daemon.call("PATCH", "/v1/manifest", { display_name: " Build machine " });
  expect(renamed.json).toMatchObject({ display_name: "Build machine", revision: 2 });
  expect((await daemon.call("PATCH", "/v1/manifest", { display_name: "Build machine" })).json.revision).toBe(2);
  await daemon.stop();
  await using again = await startDaemon({ dataDir: daemon.dataDir });
  expect((await again.call("GET", "/v1/manifest")).json).toEqual(renamed.json);
});

test("a reset must name the identity that it replaces; any other identity is 409 and changes nothing", async () => {
  await using daemon = await openTestApplication();
  const { json: before } = await daemon.call("GET", "/v1/manifest");
  const rows = everything(daemon, ["audit_events"]);
  for (const confirm of [
    "ins_00000000000000000000",
    before.installation_id.toLowerCase(),
    `${before.installation_id} `,
  ]) {
    const answer = await daemon.call("POST", "/v1/manifest/reset", { confirm_installation_id: confirm });
    expect([answer.status, answer.json.error.code, answer.json.error.field]).toEqual([
      409,
      "conflict",
      "confirm_installation_id",
    ]);
  }
  expect(everything(daemon, ["audit_events"])).toEqual(rows);
  const { json: after } = await daemon.call("POST", "/v1/manifest/reset", {
    confirm_installation_id: before.installation_id,
  });
  expect(after).toEqual({ ...before, installation_id: expect.stringMatching(/^ins_/), revision: 2 });
  expect(after.installation_id).not.toBe(before.installation_id);
  expect(query(daemon, "SELECT changed_fields_json FROM audit_events WHERE result = 'allowed'")).toEqual([
    { changed_fields_json: '["installation_id"]' },
  ]);
});

test("an empty or too long name is refused", async () => {
  await using daemon = await openTestApplication();
  for (const display_name of ["", "  ", "x".repeat(201), "a\u0007"]) {
    const answer = await daemon.call("PATCH", "/v1/manifest", { display_name });
    expect([answer.status, answer.json.error.field]).toEqual([400, "display_name"]);
  }
});

test("runtime information names existing files by absolute paths", async () => {
  await using daemon = await startDaemon();
  const { json } = await daemon.call("GET", "/v1/runtime-info");
  expect(json).toEqual({
    data_dir: daemon.dataDir,
    database_path: `${daemon.dataDir}/belfry.db`,
    log_path: `${daemon.dataDir}/log/belfry.log`,
    lock_path: `${daemon.dataDir}/lock`,
    storage_faults: [],
    unsafe_files: [],
    silent_runners: [],
    held_outputs: [],
    paused_starts: [],
  });
});
