import { once } from "node:events";
import { chmodSync, existsSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { soon } from "../../kernel/time/clock.ts";
import { readLines, writeLine } from "./lines.ts";
import type { Report } from "./messages.ts";

export interface DaemonConnectionOptions {
  readonly socket: string;
  readonly hello: Report;
  readonly onLine: (line: string) => void;
  /** Called when the daemon was connected or disconnected. */
  readonly onChange: () => void;
}

export interface DaemonConnection {
  readonly isConnected: boolean;
  /** Sends a report. Without a connection the report is dropped: a daemon that connects orders a list. */
  readonly send: (report: Report) => void;
  /** Creates the socket again if it was removed. A connected daemon stays connected. */
  readonly restoreSocket: () => void;
}

/** Listens for the daemon. The newest connection is the daemon's; lines of earlier connections are dropped. */
export async function listenForDaemon({
  socket,
  hello,
  onLine,
  onChange,
}: DaemonConnectionOptions): Promise<DaemonConnection> {
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
      // the next look tries again
      listen().catch(() => {});
    },
    get isConnected() {
      return daemon !== null;
    },
    send: (report) => {
      if (daemon === null) return;
      corkForThisTurn(daemon);
      writeLine(daemon, report);
    },
  };
}

/** Sends the reports of one turn together: under load that halves the work of both sides. */
function corkForThisTurn(connection: Socket): void {
  if (connection.writableCorked > 0) return;
  connection.cork();
  soon(() => connection.uncork());
}
