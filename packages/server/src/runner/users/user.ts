/** A user's entry in the password database. */
export interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly shell: string;
}

/** Parses `name:password:uid:gid:description:home:shell`. Null if the line is no entry. */
export function parseUser(line: string): User | null {
  const [name = "", , uid = "", gid = "", , home = "", shell = ""] = line.split(":");
  if (name === "" || !/^\d+$/.test(uid) || !/^\d+$/.test(gid)) return null;
  return { name, uid: Number(uid), gid: Number(gid), home: home || "/", shell: shell || "/bin/sh" };
}

/** The variables that say who a process's user is. */
export function environmentOf({ name, home, shell }: User): Readonly<Record<string, string>> {
  return { HOME: home, USER: name, LOGNAME: name, SHELL: shell };
}
