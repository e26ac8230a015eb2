import {
  decodeDirectory,
  decodeKey,
  type DirectoryChange,
  encode,
  frameOf,
  type HandedKnown,
  noWords,
  readFrames,
} from "../observing/frames.ts";

export function encodeKnown(changes: readonly DirectoryChange[], of: HandedKnown): Buffer {
  return encode([{ header: { is: "handed", ...of }, words: noWords }, ...changes.map(frameOf)]);
}

/** Null where the file is damaged: it was being written when the power failed, before the run was stored. */
export function readHanded(
  path: string,
): { readonly of: HandedKnown; readonly changes: readonly DirectoryChange[] } | null {
  const [first, ...frames] = readFrames(path).frames;
  if (first?.header.is !== "handed") return null;
  const changes = frames.flatMap(({ header, words }): readonly DirectoryChange[] => {
    if (header.is !== "set") return [];
    // the frames of the next file take the same place
    return [{ key: decodeKey(header.key), ...decodeDirectory(header), is: "set", words: words.slice() }];
  });
  return { of: first.header, changes };
}
