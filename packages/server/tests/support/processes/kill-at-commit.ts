// Loaded into a daemon by NODE_OPTIONS: ends it with SIGKILL just before or just after its commit of the number KILL_AT,
// counted from the first statement that contains KILL_FROM, or from the start.
import type BetterSqlite from "better-sqlite3";
import { createRequire } from "node:module";

const program = process.argv[1] ?? "";
if (program.endsWith("belfryd.js")) {
  const Sqlite = createRequire(program)("better-sqlite3") as typeof BetterSqlite;
  const memory = new Sqlite(":memory:");
  const prototype = Object.getPrototypeOf(memory.prepare("COMMIT")) as {
    run: (...values: unknown[]) => unknown;
    readonly source: string;
  };
  memory.close();
  const { run } = prototype;
  const die = (): void => void process.kill(process.pid, "SIGKILL");
  let left = Number(process.env["KILL_AT"]);
  const from = process.env["KILL_FROM"] ?? "";
  let isCounting = false;
  prototype.run = function (this: { readonly source: string }, ...values: unknown[]): unknown {
    isCounting ||= this.source.includes(from);
    if (!isCounting || this.source !== "COMMIT" || --left > 0) return run.apply(this, values);
    if (process.env["KILL_SIDE"] === "before") die();
    const result = run.apply(this, values);
    die();
    return result;
  };
}
