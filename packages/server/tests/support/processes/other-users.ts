import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Users that exist only for the processes that a test starts. */
export const otherUser = { name: "bf-tester", uid: 61_234, groups: [61_234, 61_235, 61_236] } as const;
/** A user whose home directory does not exist. */
export const homeless = { name: "bf-homeless", uid: 61_240 } as const;

/** Whether a test can start processes with users of its own: it must be root, and be allowed to mount. */
export const canHaveUsers = ((): boolean => {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync("unshare", ["-m", "mount", "--bind", "/etc/passwd", "/etc/group"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Whether the tests of other users must run: in continuous integration as root, unless a container forbids mounts. */
export const mustHaveUsers = ((): boolean => {
  if (process.env["CI"] !== "true" || process.getuid?.() !== 0) return false;
  const [, effective = "0"] = /^CapEff:\s*(\w+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  const sysAdmin = 21n;
  return ((BigInt(`0x${effective}`) >> sysAdmin) & 1n) === 1n;
})();

/** Runs a program in a mount namespace of its own, after these commands. */
export function inMountNamespace(commands: string): readonly string[] {
  return ["unshare", "-m", "--propagation", "private", "/bin/sh", "-ec", `${commands}\nexec "$@"`, "sh"];
}

/**
 * Writes user databases with the users above into a folder. Returns the commands that put them in place for the processes of a
 * mount namespace, and the home directory of the first user. The machine's own files stay as they are.
 */
export function makeUsers(folder: string): { readonly commands: string; readonly home: string } {
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o700 });
  chownSync(home, otherUser.uid, otherUser.uid);
  const passwd = [
    readFileSync("/etc/passwd", "utf8").trimEnd(),
    `${otherUser.name}:*:${otherUser.uid}:${otherUser.uid}::${home}:/bin/bash`,
    `${homeless.name}:*:${homeless.uid}:${homeless.uid}::/nonexistent:/usr/sbin/nologin`,
  ];
  const group = [
    readFileSync("/etc/group", "utf8").trimEnd(),
    `${otherUser.name}:x:${otherUser.uid}:`,
    `bf-first:x:61235:${otherUser.name}`,
    `bf-second:x:61236:${otherUser.name}`,
    `${homeless.name}:x:${homeless.uid}:`,
  ];
  writeFileSync(join(folder, "passwd"), `${passwd.join("\n")}\n`, { mode: 0o644 });
  writeFileSync(join(folder, "group"), `${group.join("\n")}\n`, { mode: 0o644 });
  return {
    commands: `mount --bind '${folder}/passwd' /etc/passwd; mount --bind '${folder}/group' /etc/group`,
    home,
  };
}
