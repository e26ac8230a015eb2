import { tempDir } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

/** Of nobody: its key was thrown away. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBgjCCASmgAwIBAgIUBRc3A9YP7i+2ikdxGxAqHndbt4owCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLQmVsZnJ5IHRlc3QwIBcNMjYxMTIxMTUxOTQzWhgPMjEyNjEw
MjgxNTE5NDNaMBYxFDASBgNVBAMMC0JlbGZyeSB0ZXN0MFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAE/ibTTgK7NIpTGfNg3wojR8pQH7jfoZLKxowQs0qpkgn51E7R
2X9X2UiVimARLP6jCJhBY6puHmZghtP+jJumcaNTMFEwHQYDVR0OBBYEFJZGOngO
mmx5jq73R/LIscfMi5quMB8GA1UdIwQYMBaAFJZGOngOmmx5jq73R/LIscfMi5qu
MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgcm+LM3NrXMH3dMwi
/PoQrZJqBFbaPx2lgH2NWaA2I+oCIFuAopujdwqM+2Lh/3f4HvTKK4Q4Vh1Cqd2J
a2LC8jQ6
-----END CERTIFICATE-----
`;

async function configured(toml: string) {
  const dir = await tempDir();
  await writeFile(join(dir.path, "config.toml"), toml);
  return {
    path: join(dir.path, "config.toml"),
    read: (overrides: object = {}, environment: Record<string, string> = {}) =>
      readConfig({ dataDir: dir.path, ...overrides }, environment),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

test("a configuration says what the file says, and the command line has the last word", async () => {
  await using house = await configured('[log]\nlevel = "warn"\n[engine]\nmax_concurrent_runs = 3\n');
  expect(house.read()).toMatchObject({ logLevel: "warn", runsAtOnceMax: 3, paths: { config: house.path } });
  expect(house.read({ logLevel: "debug" }).logLevel).toBe("debug");
});

test("an empty configuration leaves the defaults", async () => {
  await using house = await configured("");
  const config = house.read();
  expect(config.logLevel).toBe("info");
  expect(config.runsAtOnceMax).toBeGreaterThanOrEqual(4);
  expect(config.zone).toMatch(/^\w+/);
});

test.each([
  ["an unknown section", "[serve]\nport = 1", "serve is not a known member: known members are log, webhooks, engine"],
  ["an unknown key", '[log]\nlevel = "info"\ncolour = true', "log.colour is not a known member: "],
  ["a level there is not", '[log]\nlevel = "loud"', "log.level must be one of debug, info, warn, error"],
  ["a number out of bounds", "[engine]\nmax_concurrent_runs = 0", "engine.max_concurrent_runs must be a whole number "],
  ["a text for a number", '[engine]\nmax_concurrent_runs = "4"', "engine.max_concurrent_runs must be a whole number "],
  ["a value for a section", "log = 3", "log must be an object"],
])("%s is reported with the invalid key", async (_what, toml, part) => {
  await using house = await configured(toml);
  expect(() => house.read()).toThrow(`the configuration ${house.path} is not valid: ${part}`);
});

test("invalid TOML is reported with its line", async () => {
  await using house = await configured('[log]\nlevel = "info"\nlevel = = 3\n');
  expect(() => house.read()).toThrow(
    new RegExp(`^the configuration ${house.path} is not valid TOML at line 3: [^\\n]*$`),
  );
});

test("a configuration that was named must be there", async () => {
  await using house = await configured("");
  expect(() => house.read({ config: `${house.path}.gone` })).toThrow(
    /^the configuration .*\.gone cannot be read: ENOENT/,
  );
});

test("a log level that there is not is told of with those there are", async () => {
  await using house = await configured("");
  expect(() => house.read({ logLevel: "all" })).toThrow("--log-level must be one of debug, info, warn, error, not all");
});

test("the environment names places; what is empty there names nothing", () => {
  const { paths } = readConfig(
    {},
    { BELFRY_DATA_DIR: "/data", BELFRY_SOCKET: "/s", BELFRY_CONFIG: "", XDG_RUNTIME_DIR: "/run/user/7" },
  );
  expect(paths).toMatchObject({ dataDir: "/data", socket: "/s", config: null });
  expect(readConfig({ socket: "/named" }, { BELFRY_DATA_DIR: "/data", BELFRY_SOCKET: "/s" }).paths.socket).toBe(
    "/named",
  );
});

test("tasks that name no directory start in the home directory, or in / where there is none", async () => {
  await using house = await configured("");
  const home = dirname(house.path);
  expect(house.read({}, { HOME: home })).toMatchObject({ homeDirectory: home, baseEnvironment: { HOME: home } });
  expect(house.read().homeDirectory).toBe(userInfo().homedir);
  for (const HOME of ["/nonexistent", house.path, `${house.path}/under-a-file`]) {
    expect(house.read({}, { HOME })).toMatchObject({ homeDirectory: "/", baseEnvironment: { HOME } });
  }
});

test("webhooks: private addresses are allowed and the system is asked for names unless it says otherwise", async () => {
  await using plain = await configured("");
  expect(plain.read().webhooks).toEqual({ denyPrivate: false, ca: null, dnsServers: null });
  await using house = await configured(
    '[webhooks]\ndeny_private = true\nca_file = "ca.pem"\ndns_servers = ["127.0.0.1:5353", "::1", "[::1]:53"]\n',
  );
  await writeFile(join(house.path, "..", "ca.pem"), certificate);
  expect(house.read().webhooks).toEqual({
    denyPrivate: true,
    ca: certificate,
    dnsServers: ["127.0.0.1:5353", "::1", "[::1]:53"],
  });
});

test.each([
  ["a file that is not there", "gone.pem", null, /^webhooks\.ca_file .*gone\.pem cannot be read: ENOENT/],
  ["a file without a certificate", "ca.pem", "nothing", /^webhooks\.ca_file .*ca\.pem contains no PEM certificate/],
  [
    "a damaged certificate",
    "ca.pem",
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    /^webhooks\.ca_file .*ca\.pem contains a damaged certificate/,
  ],
])("webhooks: %s is told of", async (_, name, text, says) => {
  await using house = await configured(`[webhooks]\nca_file = "${name}"\n`);
  if (text !== null) await writeFile(join(house.path, "..", name), text);
  expect(() => house.read()).toThrow(says);
});

test("webhooks: a name server that is no address is told of", async () => {
  await using house = await configured('[webhooks]\ndns_servers = ["127.0.0.1", "dns.example.com"]\n');
  expect(() => house.read()).toThrow(
    /is not valid: webhooks\.dns_servers has "dns\.example\.com", which is not an address/,
  );
});
