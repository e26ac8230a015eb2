import type { Remote } from "@belfry/client";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePlace, takenPlace } from "../../../../packages/server/tests/support/ports.ts";
import { writeConfig } from "../../../../packages/server/tests/support/remote.ts";
import { startBelfry } from "../belfry.ts";

function enableAt(host: string, port: number): readonly string[] {
  return ["remote", "enable", "--host", host, "--port", String(port)];
}

test("the remote API is enabled, shown, renewed and disabled", async () => {
  await using belfry = await startBelfry();
  expect(await belfry.text("remote", "status")).toBe("Remote API  off\n");
  expect(await belfry.text("doctor")).toMatch(/ok +remote +the remote API is off\n/);
  const { host, port } = await freePlace();
  const enabled = await belfry.text(
    ...enableAt(host, port),
    "--advertise",
    "build.example.org",
    "--advertise",
    "192.0.2.7:8443",
  );
  expect(enabled).toMatch(/^Remote API +on\n/);
  expect(enabled).toContain(`build.example.org:${port}, 192.0.2.7:8443, 127.0.0.1:${port}\n`);
  expect(enabled).toContain("belfry pair ");
  expect(await belfry.text("doctor")).toMatch(
    /ok +remote +on, at build\.example\.org:\d+, .*; certificate valid until /,
  );

  const before = await belfry.json<Remote>("remote", "status");
  expect(await belfry.text("remote", "renew")).toMatch(/^Made a new certificate, valid until 20\d\d-/);
  const after = await belfry.json<Remote>("remote", "status");
  expect(after.certificate?.root_sha256).toBe(before.certificate?.root_sha256);
  expect(after.certificate?.certificate_sha256).not.toBe(before.certificate?.certificate_sha256);
  expect(await belfry.text("remote", "renew", "--root")).toMatch(/^Made a new root .*Every client must enrol again\n$/);

  expect(await belfry.text("remote", "disable")).toBe("Disabled the remote API\n");
  expect(await belfry.text("remote", "disable")).toBe("The remote API is already off\n");
  const off = await belfry.call(["remote", "renew"]);
  expect(off).toMatchObject({ code: 1, stderr: expect.stringContaining("the remote API is off") });
});

test("an error names the option that the user typed", async () => {
  await using belfry = await startBelfry();
  const fails = async (...args: readonly string[]) => {
    const { code, stderr } = await belfry.call(["remote", "enable", ...args]);
    return `${code} ${stderr}`;
  };
  const file = join(belfry.daemon.dataDir, "cert.pem");
  writeFileSync(file, "nothing");
  expect(await fails("--port", "70000")).toMatch(/^2 belfry: invalid number "70000" for --port/);
  expect(await fails("--advertise", "a b")).toMatch(
    /^2 belfry: --advertise number 1 must be a host name or an address/,
  );
  expect(await fails("--certificate", file)).toMatch(/^2 belfry: --key is required with --certificate/);
  expect(await fails("--certificate", file, "--key", file)).toMatch(/^2 belfry: --certificate .* contains no PEM/);
  expect(await fails("--own-certificate", "--key", file)).toMatch(/^2 belfry: --own-certificate cannot be combined/);
  const { port } = await takenPlace();
  expect(await fails("--host", "127.0.0.1", "--port", String(port))).toMatch(
    /^1 belfry: another program is listening on 127\.0\.0\.1:\d+/,
  );
  writeConfig(belfry.daemon, "remote = {}\n");
  expect(await fails()).toMatch(/^1 belfry: the section \[remote\] of .* cannot be changed automatically/);
});

test("doctor warns that remote callers can set what runs", async () => {
  await using belfry = await startBelfry();
  const { host, port } = await freePlace();
  writeConfig(belfry.daemon, "[remote]\ncommands = true\n");
  await belfry.text(...enableAt(host, port));
  const findings = await belfry.text("doctor");
  expect(findings).toMatch(
    /^warn +remote +on, at .*; certificate valid until .*; remote callers with manage can set what runs, as the daemon's user \(commands = true\)$/m,
  );
  expect(findings).toMatch(/^ok +log /m);
});

test("the manifest says whether the remote API is on", async () => {
  await using belfry = await startBelfry();
  expect(await belfry.text("manifest", "show")).toMatch(
    /^Protocol +v1\nRemote API +off\nMode +local only \(part of no cluster\)$/m,
  );
  const { host, port } = await freePlace();
  await belfry.text(...enableAt(host, port));
  expect(await belfry.text("manifest", "show")).toMatch(/^Remote API +on$/m);
  // as the contract fixes them
  expect(await belfry.json("manifest", "show")).toMatchObject({
    operating_mode: "local_only",
    protocol_versions: { local: "v1", remote: null },
  });
});
