import { spawn } from "node:child_process";

/** Spawns a program many times at each multiple of a period, and reads its output. */
const [program, started, atOnce, everyMs] = process.argv.slice(2) as [string, string, string, string];

function arm(): void {
  setTimeout(fall, Number(everyMs) - (Date.now() % Number(everyMs)));
}

function fall(): void {
  // a timer may fire a millisecond early
  if (Date.now() % Number(everyMs) > Number(everyMs) / 2) return arm();
  for (let number = 0; number < Number(atOnce); number++) spawn(program, [started], { stdio: "ignore" });
  arm();
}

arm();
