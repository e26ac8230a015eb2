import { tempDir } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** Whether a test can run a desktop session with a keychain. */
export const hasSecretService = ["dbus-run-session", "gnome-keyring-daemon"].every((name) =>
  existsSync(join("/usr/bin", name)),
);

export interface Desktop extends AsyncDisposable {
  readonly home: string;
  /** The environment of the desktop's programs. */
  readonly environment: Readonly<Record<string, string>>;
}

const unlocked = "printf password | gnome-keyring-daemon --unlock --components=secrets";
const locked = "gnome-keyring-daemon --start --components=secrets";
const script = (start: string) => `${start} >/dev/null 2>&1; echo "$DBUS_SESSION_BUS_ADDRESS"; exec cat`;

/** A user's home, in which sessions of a desktop can start one after the other. */
export async function newHome() {
  const home = await tempDir();
  const runtime = join(home.path, "runtime");
  await mkdir(runtime, { mode: 0o700 });
  const environment = { HOME: home.path, XDG_RUNTIME_DIR: runtime, PATH: "/usr/bin:/bin" };
  /** Starts a session whose keychain is unlocked or locked. It ends with its standard input. */
  const login = async (how: { readonly isLocked: boolean }): Promise<Desktop> => {
    const session = spawn("dbus-run-session", ["--", "sh", "-c", script(how.isLocked ? locked : unlocked)], {
      env: environment,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const ended = once(session, "exit");
    const [line] = (await once(session.stdout.setEncoding("utf8"), "data")) as [string];
    return {
      home: home.path,
      environment: { ...environment, DBUS_SESSION_BUS_ADDRESS: line.trim() },
      [Symbol.asyncDispose]: async () => {
        session.stdin.end();
        await ended;
      },
    };
  };
  return { path: home.path, environment, login, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
}
