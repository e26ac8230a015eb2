// Makes certificates in a folder, and then undoes that. Kills itself with SIGKILL before its change of a file of the number
// that is given, counted from 0.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [folder = "", renewal = "none", left = ""] = process.argv.slice(2);
let changesLeft = Number(left);

function change(): void {
  if (--changesLeft < 0) process.kill(process.pid, "SIGKILL");
}

const { renameSync: rename, rmSync: remove } = fs;
fs.renameSync = (...given) => {
  change();
  rename(...given);
};
fs.rmSync = (path, options) => {
  // what is not at its place yet is no change
  if (!String(path).endsWith(".new")) change();
  remove(path, options);
};
syncBuiltinESMExports();

const { createOwnCertificates } = await import("../../src/features/remote/own-certificate.ts");
const certificates = createOwnCertificates({ folder, clock: { now: () => 0 }, installationId: () => "ins_1" });
const { undo } = await certificates.ensure([], renewal === "root" ? "root" : "none");
undo();
