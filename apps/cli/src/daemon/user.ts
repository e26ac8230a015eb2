import { readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";

/** Whom the daemon runs as: the owner of its socket. Without a name in the system's list, the number. */
export function daemonUser(socket: string): string {
  const { uid } = statSync(socket);
  const own = userInfo();
  return uid === own.uid ? own.username : (nameOf(uid) ?? String(uid));
}

function nameOf(uid: number): string | undefined {
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  return lines.map((line) => line.split(":")).find(([, , id]) => id === String(uid))?.[0];
}
