/** A user as the system's databases describe it. */
export interface User extends UserEntry {
  /** The ids of the user's groups, the first one included. */
  readonly groups: readonly number[];
}

/** A user's entry in the password database. */
export interface UserEntry {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly shell: string;
}

/** Parses `name:password:uid:gid:description:home:shell`. Null if the line is no entry. */
export function parseUser(line: string): UserEntry | null {
  const [name = "", , uid = "", gid = "", , home = "", shell = ""] = line.split(":");
  if (name === "" || !/^\d+$/.test(uid) || !/^\d+$/.test(gid)) return null;
  return { name, uid: Number(uid), gid: Number(gid), home: home || "/", shell: shell || "/bin/sh" };
}

/** Parses what `id -G` prints; null if it is no list of groups. */
export function parseGroups(text: string): readonly number[] | null {
  return /^\d+( \d+)*$/.test(text.trim()) ? text.trim().split(" ").map(Number) : null;
}

/** The variables that say who a process's user is. */
export function environmentOf({ name, home, shell }: UserEntry): Readonly<Record<string, string>> {
  return { HOME: home, USER: name, LOGNAME: name, SHELL: shell };
}
