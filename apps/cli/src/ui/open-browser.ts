import { spawn } from "node:child_process";
import type { Host } from "../host.ts";

type Environment = Host["environment"];

/** How long a browser has to refuse. One that shows the page in the terminal, or stays in the foreground, takes longer. */
const refusalMs = 3_000;

/**
 * Opens a URL with `$BROWSER` or the program of the desktop. Returns false if there is none, or if it failed at once. The
 * URL is visible to every user of the machine.
 */
export async function openBrowser(url: string, environment: Environment): Promise<boolean> {
  for (const [program, ...words] of commandsFor(url, environment))
    if (program !== undefined && (await start(program, words, environment))) return true;
  return false;
}

/** `BROWSER` is a list of commands; `%s` stands for the URL, which is otherwise the last word. */
function commandsFor(url: string, environment: Environment): readonly (readonly string[])[] {
  const chosen = environment["BROWSER"];
  if (chosen)
    return chosen
      .split(":")
      .map((line) => line.split(/\s+/).filter((word) => word !== ""))
      .filter((words) => words.length > 0)
      .map((words) =>
        words.some((word) => word.includes("%s"))
          ? words.map((word) => word.replaceAll("%s", () => url))
          : [...words, url],
      );
  if (process.platform === "darwin") return [["open", url]];
  if (process.platform === "win32") return [["explorer.exe", url]];
  // without a display, the program would look for a browser in the terminal
  return environment["DISPLAY"] || environment["WAYLAND_DISPLAY"] ? [["xdg-open", url]] : [];
}

function start(program: string, words: readonly string[], environment: Environment): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { env: { ...environment }, detached: true, stdio: "ignore" });
    const timer = setTimeout(() => resolve(true), refusalMs);
    const end = (isOpen: boolean): void => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    child.once("error", () => end(false));
    child.once("exit", (code) => end(code === 0));
    child.unref();
  });
}
