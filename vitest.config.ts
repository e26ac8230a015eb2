import { patienceMs, seed } from "@belfry/test-kit";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Packages resolve each other's source: no build is needed to test.
  resolve: { conditions: ["@belfry/source"] },
  ssr: { resolve: { conditions: ["@belfry/source"] } },
  test: {
    include: ["{packages,apps,tooling,examples}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "**/fixtures/**"],
    sequence: { shuffle: true, seed },
    globalSetup: ["packages/server/tests/support/compile-programs.ts"],
    pool: "forks",
    // most tests wait for processes: one worker a processor keeps both busy, one less would halve a small machine
    maxWorkers: "100%",
    // a busy machine is slow, not wrong: only what hangs has to end
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: patienceMs } },
  },
});
