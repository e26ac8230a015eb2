import { spawn } from "node:child_process";

/**
 * Starts `/bin/true` repeatedly, several at once, and keeps nothing of it. Prints the rate per second to standard
 * output.
 */
const [count = 0, atOnce = 0] = process.argv.slice(2).map(Number);
let started = 0;
let ended = 0;
const startNext = (): void => {
  if (started === count) return;
  started++;
  spawn("/bin/true", [], { stdio: "ignore" }).once("exit", () => {
    if (++ended === count) process.stdout.write(String(count / ((performance.now() - from) / 1_000)));
    else startNext();
  });
};
const from = performance.now();
for (let slot = 0; slot < atOnce; slot++) startNext();
