import { generateSigningSecret, UncertainOutcomeError } from "@belfry/client";
import { usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { flag } from "../options.ts";
import type { Output } from "../output/output.ts";
import { readOptionalSecret } from "./secret.ts";

/** The alternative to `--signing-secret-file`. */
export const generateOption = flag("--generate-signing-secret", "generate a new signing secret and print it once");

interface SigningSecretOptions {
  /** The file to read; null if the caller clears the secret. */
  readonly signingSecretFile?: string | null | undefined;
  readonly generateSigningSecret?: true | undefined;
}

/** Reads or generates a signing secret. The caller prints a generated one: nobody else knows it. */
export async function resolveSigningSecret(
  { signingSecretFile: file, generateSigningSecret: isGenerated }: SigningSecretOptions,
  host: Host,
): Promise<{ readonly signingSecret: string | undefined; readonly generated: string | null }> {
  if (isGenerated !== true) {
    const signingSecret = await readOptionalSecret({ file: file ?? undefined, noun: "signing secret" }, host);
    return { signingSecret, generated: null };
  }
  if (file !== undefined)
    throw usage("--signing-secret-file and --generate-signing-secret cannot be combined. Use one of them");
  const generated = generateSigningSecret();
  return { signingSecret: generated, generated };
}

/** Sends a generated secret. If the response is lost, it is printed too: the daemon may already sign with it. */
export async function sendSecret<T>(generated: string | null, out: Output, send: () => PromiseLike<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (generated !== null && error instanceof UncertainOutcomeError)
      out.writeError(`If the change took effect, the signing secret is: ${generated}\n`);
    throw error;
  }
}

/** Adds the generated secret to the JSON output. */
export function withSecret<T extends object>(answer: T, generated: string | null): T {
  return generated === null ? answer : { ...answer, signing_secret: generated };
}

/** The same as text. */
export function secretLines(generated: string | null): string {
  if (generated === null) return "";
  return `\nSigning secret: ${generated}\nThis secret is not shown again. Configure your receiver with it now.`;
}
