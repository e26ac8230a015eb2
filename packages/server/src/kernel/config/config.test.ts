import { tempDir } from "@belfry/test-kit";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { defaultRemote } from "./remote-config.ts";

/** A certificate whose private key was thrown away. */
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

test("the configuration file is read, and options of the command line override it", async () => {
  await using app = await configured('[log]\nlevel = "warn"\n[engine]\nmax_concurrent_runs = 3\n');
  expect(app.read()).toMatchObject({ logLevel: "warn", runsAtOnceMax: 3, paths: { config: app.path } });
  expect(app.read({ logLevel: "debug" }).logLevel).toBe("debug");
});

test("an empty configuration leaves the defaults", async () => {
  await using app = await configured("");
  const config = app.read();
  expect(config.logLevel).toBe("info");
  expect(config.runsAtOnceMax).toBeGreaterThanOrEqual(4);
  expect(config.zone).toMatch(/^\w+/);
});

test("the remote API is off unless the file enables it, and paths are relative to the file", async () => {
  await using empty = await configured("");
  expect(empty.read().remote).toEqual(defaultRemote);
  await using app = await configured(
    '[remote]\nenabled = true\nport = 8443\nadvertise = ["a.example"]\ncertificate = "c.pem"\nkey = "/k.pem"\ncommands = true\n[remote.limits]\nconnections = 7\n',
  );
  expect(app.read().remote).toEqual({
    enabled: true,
    host: "::",
    port: 8443,
    advertise: ["a.example"],
    certificate: join(dirname(app.path), "c.pem"),
    key: "/k.pem",
    authority: null,
    commands: true,
    limits: { ...defaultRemote.limits, connections: 7 },
  });
});

test.each([
  [
    "an unknown section",
    "[serve]\nport = 1",
    "serve is not a known member: known members are log, webhooks, daemon, engine",
  ],
  ["an unknown key", '[log]\nlevel = "info"\ncolour = true', "log.colour is not a known member: "],
  ["an unknown level", '[log]\nlevel = "loud"', "log.level must be one of debug, info, warn, error"],
  ["a number out of bounds", "[engine]\nmax_concurrent_runs = 0", "engine.max_concurrent_runs must be a whole number "],
  ["a text for a number", '[engine]\nmax_concurrent_runs = "4"', "engine.max_concurrent_runs must be a whole number "],
  ["a value for a section", "log = 3", "log must be an object"],
])("%s is reported with the invalid key", async (_what, toml, part) => {
  await using app = await configured(toml);
  expect(() => app.read()).toThrow(`the configuration ${app.path} is not valid: ${part}`);
});

test("the socket for fires is off unless the file names it, and its path is relative to the file", async () => {
  await using empty = await configured("");
  expect(empty.read().fireSocket).toBeNull();
  await using app = await configured('[triggers]\nsocket = "run/fire.sock"\n');
  const path = join(dirname(app.path), "run", "fire.sock");
  expect(app.read({ dataDir: "/nowhere", config: app.path }).fireSocket).toEqual({ path, mode: "0660", group: null });
  await using other = await configured(
    '[triggers]\nsocket = "/run/b/s"\nsocket_mode = "0666"\nsocket_group = "users"\n',
  );
  expect(other.read().fireSocket).toEqual({ path: "/run/b/s", mode: "0666", group: "users" });
});

test("settings of the socket for fires that cannot work are refused with a sentence", async () => {
  const refusals = [
    ['socket_mode = "0660"', /triggers\.socket_mode needs triggers\.socket/],
    ['socket_group = "users"', /triggers\.socket_group needs triggers\.socket/],
    ['socket = "/s"\nsocket_mode = "0777"', /triggers\.socket_mode must be one of 0600, 0660, 0666/],
    ['socket = "/s"\nsocket_mode = 432', /triggers\.socket_mode must be/],
    ['socket = ""', /triggers\.socket must/],
    ['sockets = "/s"', /sockets/],
  ] as const;
  for (const [lines, expected] of refusals) {
    await using app = await configured(`[triggers]\n${lines}\n`);
    expect(() => app.read(), lines).toThrow(expected);
  }
});

test("a place or a group that the socket for fires can never have is refused, whether or not its directory exists", async () => {
  const refusals = [
    ['socket = "~/fire.sock"', /triggers\.socket "~\/fire\.sock" begins with ~.*: write the whole path/],
    ['socket = "data/s"', /triggers\.socket .*\/data\/s is inside the data directory .*: choose another/],
    ['socket = "link/s"', /triggers\.socket .*\/link\/s is inside the data directory .*: choose another/],
    ['socket = "own"', /triggers\.socket .*\/own is the daemon's own socket: choose another/],
    [`socket = "/${"x".repeat(103)}"`, /triggers\.socket .* is too long \(104 bytes/],
    ['socket = "/s"\nsocket_group = "no-such-group"', /triggers\.socket_group "no-such-group" is not in \/etc\/group/],
    ['socket = "data/none/s"', /is inside the data directory/],
  ] as const;
  for (const [lines, expected] of refusals) {
    await using app = await configured(`[triggers]\n${lines}\n`);
    const at = (name: string) => join(dirname(app.path), name);
    const read = () => app.read({ dataDir: at("data"), socket: at("own"), config: app.path });
    // a link leads to the data directory once there is one
    if (lines.includes("link")) {
      await mkdir(at("data"));
      await symlink(at("data"), at("link"));
    }
    expect(read, lines).toThrow(expected);
  }
});

test("invalid TOML is reported with its line", async () => {
  await using app = await configured('[log]\nlevel = "info"\nlevel = = 3\n');
  expect(() => app.read()).toThrow(new RegExp(`^the configuration ${app.path} is not valid TOML at line 3: [^\\n]*$`));
});

test("a configuration file that was named must exist", async () => {
  await using app = await configured("");
  expect(() => app.read({ config: `${app.path}.gone` })).toThrow(
    /^the configuration .*\.gone does not exist: check the path$/,
  );
});

test("an unknown log level is refused with a list of the known levels", async () => {
  await using app = await configured("");
  expect(() => app.read({ logLevel: "all" })).toThrow('--log-level must be one of debug, info, warn, error, not "all"');
});

test("the environment sets paths, and an empty variable counts as unset", () => {
  const { paths } = readConfig(
    {},
    { BELFRY_DATA_DIR: "/data", BELFRY_SOCKET: "/s", BELFRY_CONFIG: "", XDG_RUNTIME_DIR: "/run/user/7" },
  );
  expect(paths).toMatchObject({ dataDir: "/data", socket: "/s", config: null });
  expect(readConfig({ socket: "/named" }, { BELFRY_DATA_DIR: "/data", BELFRY_SOCKET: "/s" }).paths.socket).toBe(
    "/named",
  );
});

test("tasks without a directory start in the home directory, or in / if there is no home directory", async () => {
  await using app = await configured("");
  const home = dirname(app.path);
  expect(app.read({}, { HOME: home })).toMatchObject({ homeDirectory: home, baseEnvironment: { HOME: home } });
  expect(app.read().homeDirectory).toBe(userInfo().homedir);
  for (const HOME of ["/nonexistent", app.path, `${app.path}/under-a-file`]) {
    expect(app.read({}, { HOME })).toMatchObject({ homeDirectory: "/", baseEnvironment: { HOME } });
  }
});

test("webhooks: by default private addresses are allowed and the system resolves names", async () => {
  await using plain = await configured("");
  expect(plain.read().webhooks).toEqual({ denyPrivate: false, ca: null, dnsServers: null });
  await using app = await configured(
    '[webhooks]\ndeny_private = true\nca_file = "ca.pem"\ndns_servers = ["127.0.0.1:5353", "::1", "[::1]:53"]\n',
  );
  await writeFile(join(app.path, "..", "ca.pem"), certificate);
  expect(app.read().webhooks).toEqual({
    denyPrivate: true,
    ca: certificate,
    dnsServers: ["127.0.0.1:5353", "::1", "[::1]:53"],
  });
});

test.each([
  ["a missing file", "gone.pem", null, /^webhooks\.ca_file .*gone\.pem does not exist: check the path$/],
  [
    "a file without a certificate",
    "ca.pem",
    "nothing",
    /^webhooks\.ca_file .*ca\.pem contains no PEM certificate: give a file with at least one$/,
  ],
  [
    "a damaged certificate",
    "ca.pem",
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    /^webhooks\.ca_file .*ca\.pem contains a damaged certificate: replace the file$/,
  ],
])("webhooks: %s is refused", async (_, name, text, message) => {
  await using app = await configured(`[webhooks]\nca_file = "${name}"\n`);
  if (text !== null) await writeFile(join(app.path, "..", name), text);
  expect(() => app.read()).toThrow(message);
});

test.each(["dns.example.com", "192.0.2.53:65536", "[2001:db8::53]:99999", "192.0.2.53:"])(
  "webhooks: the name server %s is rejected",
  async (server) => {
    await using app = await configured(`[webhooks]\ndns_servers = ["127.0.0.1:65535", "${server}"]\n`);
    expect(() => app.read()).toThrow(
      `is not valid: webhooks.dns_servers contains "${server}". Use addresses such as 192.0.2.53 or 192.0.2.53:5353`,
    );
  },
);
