import { usage } from "../failure.ts";

/** The name that stands in options for the daemon on this machine. */
export const localName = "local";

/** A name is also the name of a file. Upper case is excluded, because some file systems ignore case. */
const form = /^[a-z0-9][a-z0-9._-]{0,62}$/;

export function isProfileName(name: string): boolean {
  return form.test(name) && name !== localName;
}

export function checkProfileName(name: string): void {
  if (isProfileName(name)) return;
  if (name === localName)
    throw usage('the name "local" is reserved for the daemon on this machine', "Choose another name");
  throw usage(
    `invalid profile name ${JSON.stringify(name)}`,
    "Use at most 63 lower-case letters, digits, dots, dashes and underscores, and begin with a letter or digit",
  );
}

/** The default name of a profile: the first part of its host name, or its whole IP address. */
export function nameFromAddress(address: string): string | null {
  const host = address.replace(/:\d+$/, "").toLowerCase();
  const isHostName = /[g-z]/.test(host) && !host.includes(":");
  const name = (isHostName ? host.replace(/\..*$/, "") : host).replaceAll(/[^a-z0-9.]+/g, "-");
  const trimmed = name.replaceAll(/^-+|-+$/g, "");
  return isProfileName(trimmed) ? trimmed : null;
}
