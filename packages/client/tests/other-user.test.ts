import { tempDir } from "@belfry/test-kit";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runProgram } from "./bundle.ts";

const isRoot = process.getuid?.() === 0;

describe.skipIf(process.platform === "win32")("as an ordinary user", () => {
  test("a daemon outside the runtime directory is found if no daemon is inside", async () => {
    await using dir = await openDir();
    const data = join(dir.path, process.platform === "darwin" ? "Library/Application Support" : "data", "belfry");
    const environment = {
      HOME: dir.path,
      XDG_DATA_HOME: join(dir.path, "data"),
      XDG_RUNTIME_DIR: join(dir.path, "run"),
    };
    const find = () => runAsOther("process.stdout.write(socketPathFromEnv())", environment);

    expect(await find()).toBe(join(dir.path, "run/belfry/belfry.sock"));
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, "belfry.sock"), "");
    expect(await find()).toBe(join(data, "belfry.sock"));
    mkdirSync(join(dir.path, "run/belfry"), { recursive: true });
    writeFileSync(join(dir.path, "run/belfry/belfry.sock"), "");
    expect(await find()).toBe(join(dir.path, "run/belfry/belfry.sock"));
  });

  test.skipIf(!isRoot)("the socket of another user is an error with its owner and mode, and not retried", async () => {
    await using dir = await openDir();
    const socketPath = join(dir.path, "belfry.sock");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    chmodSync(socketPath, 0o600);
    const attempt =
      "connectLocal({ delayMs: () => 1e9 }).health.get().catch((error) => process.stdout.write(String(error)))";
    const output = await runAsOther(`await ${attempt}`, { BELFRY_SOCKET: socketPath });
    await new Promise((resolve) => server.close(resolve));
    expect(output).toBe(
      `ConnectionError: You do not have permission to use the daemon's socket ${socketPath}: ${socketPath} belongs to uid 0 with mode 0600, and this process runs as uid 65534. Run the program as the daemon's user.`,
    );
  });
});

/** A directory that other users may read. */
async function openDir() {
  const dir = await tempDir();
  chmodSync(dir.path, 0o755);
  return dir;
}

function runAsOther(code: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const program = `import { connectLocal, socketPathFromEnv } from "@belfry/client/local"; ${code}; void connectLocal; void socketPathFromEnv;`;
  return runProgram(program, { environment, ...(isRoot ? { user: { uid: 65_534, gid: 65_534 } } : {}) });
}
