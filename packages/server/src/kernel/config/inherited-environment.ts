import { type UserInfo, userInfo } from "node:os";

type Account = Pick<UserInfo<string>, "username" | "homedir" | "shell">;

export type InheritedEnvironment = Readonly<Record<string, string>> & { readonly HOME: string };

const inheritedNames = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TZ|TMPDIR)$/;

/**
 * Selects the variables of the daemon's environment that every task's process starts with. Service managers and
 * containers start daemons without HOME, USER, LOGNAME or SHELL: then these come from the password database.
 */
export function inheritedEnvironment(
  environment: NodeJS.ProcessEnv,
  readAccount: () => Account = userInfo,
): InheritedEnvironment {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && inheritedNames.test(name)) inherited[name] = value;
  }
  const { HOME, USER, LOGNAME, SHELL } = inherited;
  const account = HOME && USER && LOGNAME && SHELL ? null : findAccount(readAccount);
  return {
    ...inherited,
    HOME: HOME || account?.homedir || "/",
    SHELL: SHELL || account?.shell || "/bin/sh",
    ...(account === null ? {} : { USER: USER || account.username, LOGNAME: LOGNAME || account.username }),
  };
}

/** Finds the user in the password database. Null in a container whose user id has no entry there. */
function findAccount(readAccount: () => Account): Account | null {
  try {
    return readAccount();
  } catch {
    return null;
  }
}
