import { findRisk } from "../../kernel/files/trusted-file.ts";

/** Lists which of the files that say what the daemon trusts another user can change now. */
export function listUnsafeFiles({ configFile, privateKey }: { configFile: string; privateKey: string | null }) {
  const files = [
    { name: "the configuration", path: configFile, isSecret: false },
    ...(privateKey === null ? [] : [{ name: "the private key", path: privateKey, isSecret: true }]),
  ];
  return files.flatMap(({ name, path, isSecret }) => {
    const risk = findRisk(path, { isSecret });
    return risk === null ? [] : [{ path, message: `${name} ${risk}` }];
  });
}
