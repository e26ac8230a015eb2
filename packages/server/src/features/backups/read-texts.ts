import { StartError } from "../../kernel/errors/errors.ts";
import type { ListedFile } from "./archive.ts";
import type { Description } from "./description.ts";
import { isKeySealing } from "./sealed-key.ts";

type Json = Readonly<Record<string, unknown>>;

/** Reads the description of an archive, which may come from anywhere. */
export function readDescription(file: string, text: string): Description {
  const found = parse(text);
  if (found === null || typeof found["format"] !== "number") throw new StartError(`${file} is not a Belfry backup`);
  if (found["format"] > 1)
    throw new StartError(`the backup ${file} was made by a newer version of Belfry: install that version first`);
  const texts = [found["version"], found["created_at"], found["installation_id"]];
  const isSound =
    texts.every((value) => typeof value === "string") &&
    typeof found["with_output"] === "boolean" &&
    (found["key_sealing"] === null || isKeySealing(found["key_sealing"]));
  if (isSound) return found as unknown as Description;
  throw new StartError(`the backup ${file} is damaged: its description cannot be read. Use another backup`);
}

/** Reads the list at the end of an archive; null if it is not such a list. */
export function readFileList(text: string): readonly ListedFile[] | null {
  const files = parse(text)?.["files"];
  return Array.isArray(files) && files.every(isListed) ? files : null;
}

function isListed(value: unknown): value is ListedFile {
  return (
    isObject(value) &&
    typeof value["name"] === "string" &&
    typeof value["size"] === "number" &&
    typeof value["sha256"] === "string"
  );
}

function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
