import { appendFileSync } from "node:fs";

/*
 * Appends to a file all the time, until its standard input ends or it has rested for longer than allowed. Prints the longest time
 * in which the file may have stayed as it was.
 */

const [path, restMsMax] = [process.argv[2]!, Number(process.argv[3])];
let longestMs = 0;
let lastBegunAt: number | null = null;

function append(): void {
  const begunAt = performance.now();
  appendFileSync(path, "more\n");
  if (lastBegunAt !== null) longestMs = Math.max(longestMs, performance.now() - lastBegunAt);
  lastBegunAt = begunAt;
}

function end(): void {
  clearInterval(timer);
  process.stdin.destroy();
  process.stdout.write(String(longestMs));
}

append();
const timer = setInterval(() => {
  append();
  if (longestMs > restMsMax) end();
}, 10);
process.stdin.resume().once("end", () => {
  append();
  end();
});
