import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { integer, type Option } from "../options.ts";
import { chooseProfile } from "../profiles/choose-profile.ts";
import { localName } from "../profiles/profile-name.ts";
import { openLaunchFiles, urlOfFile } from "../ui/launch-file.ts";
import { openBrowser } from "../ui/open-browser.ts";
import { findScreens } from "../ui/screens.ts";
import { serveUi } from "../ui/ui-server.ts";

/** The parser reads a `--no-` flag as the value false of the option without `no`. */
const noOpen: Option<true | null> = {
  flags: "--no-open",
  summary: "open no browser, and print an address or a file to open",
  read: () => true,
};

export const command = defineCommand({
  options: {
    port: integer("--port <n>", "port to listen on at 127.0.0.1 (default: a free port)", { min: 1, max: 65_535 }),
    open: noOpen,
  },
  details:
    "Serves the screens to the browser of this user until Ctrl-C or TERM. An address opens them once, within a minute. At a terminal, press Enter for a new one.",
  examples: [
    ["belfry ui", "open the screens in the browser"],
    ["belfry ui --profile build", "begin with the daemon of the profile build"],
    ["belfry ui --no-open --port 8765", "print an address; to use it from elsewhere: ssh -L 8765:127.0.0.1:8765 HOST"],
  ],
  run: async ({ host, location, options, out, timeoutMs }) => {
    const initial = chooseProfile(location, host) ?? localName;
    const isTerminal = host.stdin.isTTY === true && host.stdout.isTTY === true;
    const ended = Promise.withResolvers<"ended">();
    using _ = host.onInterrupt(() => ended.resolve("ended"));
    {
      await using server = await serveUi({
        host,
        initial,
        location,
        out,
        timeoutMs,
        port: options.port ?? 0,
        screens: findScreens(host),
      });
      using files = openLaunchFiles(host);
      const { origin } = server;
      const print = (): void => {
        if (isTerminal && !out.json) return out.note(`Open within a minute: ${server.newAddress()}`);
        const file = files.write(server.newAddress());
        out.event({ url: origin, file }, () => `Open within a minute: ${file}`);
      };
      const open = async (): Promise<void> => {
        if (options.open === null) return print();
        const file = files.write(server.newAddress());
        if (await openBrowser(urlOfFile(file), host.environment))
          return out.event({ url: origin, file: null }, () => `Opened the screens at ${origin} in the browser`);
        out.note("No browser could be opened here");
        print();
      };
      await open();
      if (isTerminal) out.note("Press Enter for a new address, or Ctrl-C to end");
      await openAtEnter(isTerminal ? host.stdin : [], ended.promise, open);
    }
    // a terminal that is being read keeps the process alive
    if (isTerminal) host.exit(exitCodes.ok);
  },
});

async function openAtEnter(
  typed: AsyncIterable<unknown> | Iterable<unknown>,
  ended: Promise<"ended">,
  open: () => Promise<void>,
): Promise<void> {
  const lines = Symbol.asyncIterator in typed ? typed[Symbol.asyncIterator]() : typed[Symbol.iterator]();
  for (;;) {
    const next = await Promise.race([ended, lines.next()]);
    if (next === "ended") return;
    if (next.done === true) {
      await ended;
      return;
    }
    await open();
  }
}
