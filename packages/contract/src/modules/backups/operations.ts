import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { defineOperation, localOnly } from "../../core/operation.ts";
import { orNull } from "../../core/scalars.ts";
import { secret } from "../../core/secret.ts";

export const BackupCreate = z
  .strictObject({
    passphrase: secret(orNull(z.string().min(limits.passphraseCharactersMin).max(limits.passphraseCharactersMax)))
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
      "The answer is a tar archive, sent while it is made. Its last file is a list of the others with their hashes: an archive without it is incomplete. Without a passphrase, whoever can read the archive can read every stored secret, so the audit trail records the call as a reveal.",
    kind: "read",
    capability: "enroll",
    transports: localOnly,
    audited: true,
    resource: "daemon",
    body: BackupCreate,
    bodyOptional: true,
    response: { kind: "file", type: "application/x-tar" },
    errors: [],
    example: { output: true },
  }),
] as const;
