import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@belfry/test-kit";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface PrivateCa {
  readonly ca: string;
  /**
   * Issues a certificate for these names, such as `DNS:localhost` and `IP:127.0.0.1`, signed by this authority or by
   * itself. `key` is the key of a former certificate, as in a renewal.
   */
  readonly issue: (
    names: readonly string[],
    how?: { readonly days?: number; readonly isSelfSigned?: boolean; readonly key?: string },
  ) => Certificate;
}

/** An authority of the test's own, which no other program trusts. */
export async function createCa(): Promise<PrivateCa & AsyncDisposable> {
  const dir = await tempDir("bc-");
  const at = (name: string): string => join(dir.path, name);
  const openssl = (...args: string[]): void => void execFileSync("openssl", args, { stdio: "ignore" });
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...curve,
    "-keyout",
    at("ca.key"),
    "-out",
    at("ca.pem"),
    "-days",
    "30",
    "-subj",
    "/CN=Belfry test CA",
  );
  let issued = 0;
  return {
    ca: readFileSync(at("ca.pem"), "utf8"),
    issue: (names, { days = 30, isSelfSigned = false, key: formerKey } = {}) => {
      const name = `leaf${++issued}`;
      writeFileSync(at(`${name}.ext`), `subjectAltName=${names.join(",")}\n`);
      const [key, csr, pem] = [at(`${name}.key`), at(`${name}.csr`), at(`${name}.pem`)];
      if (formerKey !== undefined) writeFileSync(key, formerKey);
      const keyOptions = formerKey === undefined ? [...curve, "-keyout", key] : ["-new", "-key", key];
      openssl("req", ...keyOptions, "-out", csr, "-subj", `/CN=${name}`);
      const signer = isSelfSigned
        ? ["-signkey", key]
        : ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial"];
      openssl("x509", "-req", "-in", csr, ...signer, "-days", String(days), "-extfile", at(`${name}.ext`), "-out", pem);
      return { key: readFileSync(key, "utf8"), cert: readFileSync(pem, "utf8") };
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}
