import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Host } from "../host.ts";
import { readPrivateFile, replacePrivateFile } from "../profiles/private-file.ts";
import { configDirOf } from "../profiles/profile-folder.ts";
import { invalid } from "./read-body.ts";

export const preferenceBytesMax = 8 * 1024;
const namesMax = 64;
const namePattern = /^[a-z][a-z0-9._-]{0,79}$/;

type Values = Readonly<Record<string, unknown>>;

/** What the screens remember for this user: a page cannot keep it, because its origin changes with the port. */
export interface Preferences {
  readonly all: () => Values;
  readonly set: (name: string, value: unknown) => void;
  readonly remove: (name: string) => void;
}

/** The file is read for each change, because several screens may run. */
export function openPreferences({ environment }: Pick<Host, "environment">): Preferences {
  const path = join(configDirOf(environment), "screens.json");
  const read = (): Values => parse(readPrivateFile(path));
  const write = (values: Values): void => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replacePrivateFile(path, `${JSON.stringify(values, null, 2)}\n`);
  };
  return {
    all: read,
    set: (name, value) => {
      if (!namePattern.test(name))
        throw invalid("name", "a name has at most 80 lower-case letters, digits, dots, dashes and underscores");
      if (Buffer.byteLength(JSON.stringify(value)) > preferenceBytesMax)
        throw invalid("value", `a value has at most ${preferenceBytesMax} bytes`);
      const values = { ...read(), [name]: value };
      if (Object.keys(values).length > namesMax) throw invalid("name", `there are at most ${namesMax} names`);
      write(values);
    },
    remove: (name) => {
      const { [name]: _, ...values } = read();
      write(values);
    },
  };
}

/** A damaged file holds nothing that is worth an error. */
function parse(text: string | null): Values {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
