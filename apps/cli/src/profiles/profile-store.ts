import { similarNames } from "@belfry/contract";
import { linkSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import type { Host } from "../host.ts";
import { quoteForShell } from "../output/hints.ts";
import type { Keychain } from "./keychain.ts";
import { createPrivateFile, readPrivateFile, replacePrivateFile } from "./private-file.ts";
import { currentFileOf, profileDirOf, readCurrent } from "./profile-folder.ts";
import { checkProfileName, isProfileName } from "./profile-name.ts";
import { parseProfile, parseProfileFile, type ProfileFile, type StoredProfile } from "./stored-profile.ts";

type Place = Pick<Host, "environment" | "keychain">;

const suffix = ".json";

/** The profiles of the user who runs this command, in alphabetical order. */
export function listProfileNames({ environment }: Place): readonly string[] {
  try {
    return readdirSync(profileDirOf(environment))
      .filter((file) => file.endsWith(suffix))
      .map((file) => file.slice(0, -suffix.length))
      .filter(isProfileName)
      .toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

export function profilePath(name: string, { environment }: Place): string {
  checkProfileName(name);
  return join(profileDirOf(environment), `${name}${suffix}`);
}

export async function readProfile(name: string, place: Place): Promise<StoredProfile> {
  const file = readFile(name, place);
  if (file.store === "file") return { name, store: "file", profile: file.profile };
  const text = await keychainOf(place).read(file.account);
  const profile = text === null ? null : parseProfile(text);
  if (profile === null)
    throw new Failure(exitCodes.failed, `the keychain does not contain profile ${JSON.stringify(name)} any more`, {
      hint: `Remove the profile with: belfry profile remove ${name}\nThen pair and enrol again`,
    });
  return { name, store: "keychain", profile };
}

/** Keeps a new profile. Returns false if there is a profile with this name, which stays as it is. */
export async function addProfile({ name, store, profile }: StoredProfile, place: Place): Promise<boolean> {
  const path = profilePath(name, place);
  if (store === "file") return createPrivateFile(path, format({ version: 1, store, profile }));
  // random: an account that a daemon can choose, such as its credential's id, could replace the profile of another daemon
  const account = `profile-${crypto.randomUUID()}`;
  await keychainOf(place).write(account, JSON.stringify(profile));
  const { credentialId } = profile;
  const isNew = createPrivateFile(path, format({ version: 1, store, account, credentialId }));
  if (!isNew) await keychainOf(place).remove(account);
  return isNew;
}

export async function changeProfile({ name, profile }: StoredProfile, place: Place): Promise<void> {
  const file = readFile(name, place);
  if (file.store === "keychain") await keychainOf(place).write(file.account, JSON.stringify(profile));
  // also with the same content: a command that keeps a connection open sees by its file that the profile has changed
  replacePrivateFile(profilePath(name, place), format(file.store === "file" ? { ...file, profile } : file));
}

export function renameProfile(from: string, to: string, place: Place): void {
  const [oldPath, newPath] = [profilePath(from, place), profilePath(to, place)];
  readFile(from, place);
  if (from === to) return;
  try {
    // unlike a rename, a link never replaces a file
    linkSync(oldPath, newPath);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw nameTaken(to);
    throw error;
  }
  if (readCurrent(place.environment) === from) useProfile(to, place);
  rmSync(oldPath);
}

/** Forgets a profile, and returns the id of its credential, which stays valid. */
export async function removeProfile(name: string, place: Place): Promise<string> {
  const file = readFile(name, place);
  if (file.store === "keychain") await keychainOf(place).remove(file.account);
  if (readCurrent(place.environment) === name) useProfile(null, place);
  rmSync(profilePath(name, place));
  return file.store === "keychain" ? file.credentialId : file.profile.credentialId;
}

/** Makes a profile the default of all commands; null for the daemon on this machine. */
export function useProfile(name: string | null, place: Place): void {
  const path = currentFileOf(place.environment);
  if (name === null) return rmSync(path, { force: true });
  readFile(name, place);
  replacePrivateFile(path, `${name}\n`);
}

export function nameTaken(name: string): Failure {
  return new Failure(exitCodes.usage, `there is already a profile named ${JSON.stringify(name)}`, {
    hint: `Choose another name, or remove the profile with: belfry profile remove ${quoteForShell(name)}`,
  });
}

/** Whether a keychain accepts secrets. Only a write tells: a service without a default collection answers reads. */
export async function checkKeychain(place: Place): Promise<void> {
  await keychainOf(place).write("probe", "probe");
  await keychainOf(place).remove("probe");
}

function readFile(name: string, place: Place): ProfileFile {
  const path = profilePath(name, place);
  const text = readPrivateFile(path);
  if (text === null) throw noProfile(name, listProfileNames(place));
  const file = parseProfileFile(text);
  if (file !== null) return file;
  throw new Failure(exitCodes.failed, `the profile in ${path} is damaged, or a later version wrote it`, {
    hint: "Update belfry, or delete the file, then pair and enrol again",
  });
}

function noProfile(name: string, known: readonly string[]): Failure {
  const similar = similarNames(name, known);
  const hint =
    similar.length === 0
      ? "List the profiles with: belfry profile list"
      : `Did you mean ${similar.map((other) => JSON.stringify(other)).join(" or ")}?`;
  return new Failure(exitCodes.notFound, `there is no profile ${JSON.stringify(name)}`, { hint });
}

function keychainOf({ keychain }: Place): Keychain {
  if (keychain !== null) return keychain;
  throw new Failure(exitCodes.refused, "this program has no access to a keychain");
}

function format(file: ProfileFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}
