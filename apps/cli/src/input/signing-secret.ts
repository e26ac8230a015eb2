import { generateSigningSecret } from "@belfry/client";
import { usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { flag } from "../options.ts";
import { readOptionalSecret } from "./secret.ts";

/** Beside `--signing-secret-file`. */
export const generateOption = flag("--generate-signing-secret", "generate a new signing secret and print it once");

interface Asked {
  /** A file to read it from; null clears it, which is the caller's business. */
  readonly signingSecretFile?: string | null | undefined;
  readonly generateSigningSecret?: true | undefined;
}

/** The secret that was given or generated; a generated one is to be printed, for nobody knows it yet. */
export async function chooseSigningSecret(
  { signingSecretFile: file, generateSigningSecret: isGenerated }: Asked,
  host: Host,
): Promise<{ readonly signingSecret: string | undefined; readonly generated: string | null }> {
  if (isGenerated !== true) {
    const signingSecret = await readOptionalSecret({ file: file ?? undefined, what: "signing secret" }, host);
    return { signingSecret, generated: null };
  }
  if (file !== undefined)
    throw usage("--signing-secret-file and --generate-signing-secret exclude each other: give one of them");
  const generated = generateSigningSecret();
  return { signingSecret: generated, generated };
}

/** The answer with the generated secret beside it, for programs. */
export function withSecret<T extends object>(answer: T, generated: string | null): T {
  return generated === null ? answer : { ...answer, signing_secret: generated };
}

/** The same for people: lines that follow what the command says. */
export function secretLines(generated: string | null): string {
  if (generated === null) return "";
  return `\nSigning secret: ${generated}\nIt is not shown again: give it to the receiver now.`;
}
