import { expect, test } from "vitest";
import { inheritedEnvironment } from "./inherited-environment.ts";

const account = { username: "ada", homedir: "/home/ada", shell: "/bin/zsh" };
const ofAda = { HOME: "/home/ada", USER: "ada", LOGNAME: "ada", SHELL: "/bin/zsh" };
const noEntry = (): never => {
  throw new Error("ENOENT: no such file or directory, uv_os_get_passwd");
};

test("tasks start with the few names every program needs, and nothing else of the daemon's", () => {
  const kept = { ...ofAda, PATH: "/bin", LANG: "C", LC_ALL: "C", LC_TIME: "C", TZ: "UTC", TMPDIR: "/t" };
  const dropped = {
    BELFRY_SOCKET: "/s",
    NODE_OPTIONS: "--inspect",
    npm_config_x: "1",
    AWS_SECRET: "s",
    LC_: "x",
    XPATH: "x",
    lc_all: "x",
  };
  expect(inheritedEnvironment({ ...kept, ...dropped }, noEntry)).toEqual(kept);
});

test("HOME, USER, LOGNAME and SHELL come from the user's account if the daemon was started without them", () => {
  expect(inheritedEnvironment({}, () => account)).toEqual(ofAda);
  expect(inheritedEnvironment({ HOME: "", SHELL: "" }, () => account)).toEqual(ofAda);
  expect(inheritedEnvironment({ HOME: "/srv", USER: "job" }, () => account)).toEqual({
    ...ofAda,
    HOME: "/srv",
    USER: "job",
  });
});

test("an account without a login shell gets /bin/sh", () => {
  expect(inheritedEnvironment({}, () => ({ ...account, shell: "" }))).toEqual({ ...ofAda, SHELL: "/bin/sh" });
  expect(inheritedEnvironment({}, () => ({ ...account, shell: null }))).toEqual({ ...ofAda, SHELL: "/bin/sh" });
});

test("a user without an entry in the password database has / and /bin/sh, and no name", () => {
  expect(inheritedEnvironment({ PATH: "/bin" }, noEntry)).toEqual({ PATH: "/bin", HOME: "/", SHELL: "/bin/sh" });
});
