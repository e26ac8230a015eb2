import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { defineOperation, localOnly } from "../../core/operation.ts";
import { controlCharacters, orNull } from "../../core/scalars.ts";
import { secret } from "../../core/secret.ts";

const inside = `[^${controlCharacters}]`;
const atEdge = String.raw`[^\s${controlCharacters}]`;
/** A restore reads the passphrase as one line of text, from a terminal or a file. */
const Passphrase = z
  .string()
  .min(limits.passphraseCharactersMin)
  .max(limits.passphraseCharactersMax)
  .regex(new RegExp(`^${atEdge}(?:${inside}*${atEdge})?$`), {
    error: "must have no control characters, and no white space at its beginning or end",
  });

export const BackupCreate = z
  .strictObject({
    passphrase: secret(orNull(Passphrase))
      .default(null)
      .meta({ description: "Encrypts the sealing key in the backup; null leaves the key readable" }),
    output: z.boolean().default(false).meta({ description: "Whether the kept output of runs is included" }),
  })
  .meta({ id: "BackupCreate" });
export type BackupCreate = z.output<typeof BackupCreate>;

export const backupOperations = [
  defineOperation({
    id: "backups.create",
    method: "post",
    path: "/backup",
    summary: "Make a consistent copy of the database, the sealing key and, if wanted, the kept output",
    description:
      "The daemon copies the database and checks the copy before it answers, one backup at a time: otherwise, or without space for the copy, the answer is `conflict`. The answer is a tar archive. Its last file is a list of the others with their hashes: an archive without it is incomplete. Without a passphrase, whoever can read the archive can read every stored secret, so the audit trail records the call as a reveal.",
    kind: "read",
    capability: "enroll",
    transports: localOnly,
    audited: true,
    resource: "daemon",
    body: BackupCreate,
    bodyOptional: true,
    response: { kind: "file", type: "application/x-tar" },
    errors: ["conflict"],
    example: { output: true },
  }),
] as const;
