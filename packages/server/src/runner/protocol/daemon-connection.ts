import { once } from "node:events";
import { chmodSync, existsSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { soon } from "../../kernel/time/clock.ts";
import { readLines, writeLine } from "./lines.ts";
import type { Report } from "./messages.ts";

export interface DaemonLineOptions {
  readonly socket: string;
  readonly hello: Report;
  readonly onLine: (line: string) => void;
  /** The daemon has come or gone. */
  readonly onChange: () => void;
}

export interface DaemonLine {
  readonly isConnected: boolean;
  /** Lost when nobody is connected: whoever connects asks for a list. */
  readonly tell: (report: Report) => void;
  /** Makes the socket again where somebody has removed it. The daemon that is connected stays connected. */
  readonly restoreSocket: () => void;
}

/** Listens for the daemon. Whoever connected last is the daemon; what an earlier one still says is not heard. */
export async function listenForDaemon({ socket, hello, onLine, onChange }: DaemonLineOptions): Promise<DaemonLine> {
  let daemon: Socket | null = null;
  const server = createServer((connection) => {
    daemon?.destroy();
    daemon = connection;
    connection.on("error", () => {});
    connection.once("close", () => {
      if (daemon !== connection) return;
      daemon = null;
      onChange();
    });
    readLines(connection, (line) => {
      if (daemon === connection) onLine(line);
    });
    writeLine(connection, hello);
    onChange();
  });
  const listen = async (): Promise<void> => {
    server.listen(socket);
    await once(server, "listening");
    chmodSync(socket, 0o600);
  };
  await listen();
  return {
    restoreSocket: () => {
      if (existsSync(socket)) return;
      server.close();
      // tried again at the next look
      listen().catch(() => {});
    },
    get isConnected() {
      return daemon !== null;
    },
    tell: (report) => {
      if (daemon === null) return;
      sendTogether(daemon);
      writeLine(daemon, report);
    },
  };
}

/** What is said in one turn leaves in one piece: when much happens at once, that halves the work of both sides. */
function sendTogether(connection: Socket): void {
  if (connection.writableCorked > 0) return;
  connection.cork();
  soon(() => connection.uncork());
}
