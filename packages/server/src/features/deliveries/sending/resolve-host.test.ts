import { ManualClock, tempDir } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openResolverOf, startNameServer } from "../../../../tests/support/name-server.ts";
import { createHostResolver } from "./resolve-host.ts";

const clock = new ManualClock();

test("localhost is this machine, whatever a name server answers", async () => {
  const resolver = createHostResolver({ servers: ["127.0.0.1:9"], clock });
  for (const name of ["localhost", "LOCALHOST.", "a.localhost"]) {
    expect((await resolver.resolve(name)).map(({ address }) => address)).toEqual(["127.0.0.1", "::1"]);
  }
  resolver.close();
});

test("the hosts file has priority, matches whole names in any case, and may contain comments", async () => {
  await using dir = await tempDir();
  const hostsFile = join(dir.path, "hosts");
  const lines = [
    "# 10.0.0.9 hooks.internal",
    "10.0.0.1  Hooks.Internal other # hooks.else",
    "fd00::1 hooks.internal",
    "bad hooks.internal",
  ];
  await writeFile(hostsFile, lines.join("\n"));
  const resolver = createHostResolver({ servers: null, hostsFile, clock });
  expect(await resolver.resolve("hooks.INTERNAL.")).toEqual([
    { address: "10.0.0.1", family: 4 },
    { address: "fd00::1", family: 6 },
  ]);
  expect(await resolver.resolve("other")).toEqual([{ address: "10.0.0.1", family: 4 }]);
  resolver.close();
});

test("the system resolves a name that the name servers do not know", async () => {
  await using names = await startNameServer(() => []);
  const askSystem = async (name: string) => [name === "printer" ? "10.0.0.8" : "10.0.0.9"];
  const resolver = createHostResolver({
    servers: null,
    hostsFile: "/dev/null",
    clock,
    openResolver: openResolverOf(() => [names.address]),
    askSystem,
  });
  expect(await resolver.resolve("printer")).toEqual([{ address: "10.0.0.8", family: 4 }]);
  resolver.close();
});
