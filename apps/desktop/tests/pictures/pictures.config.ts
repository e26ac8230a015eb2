import { defineConfig } from "vitest/config";

/** Takes the pictures, which is no test: `npx pnpm@12 pictures DIR`. */
export default defineConfig({
  root: `${import.meta.dirname}/../../../..`,
  resolve: { conditions: ["@belfry/source"] },
  ssr: { resolve: { conditions: ["@belfry/source"] } },
  test: {
    include: ["apps/desktop/tests/pictures/{pictures,resources,daily-work}.ts"],
    pool: "forks",
    testTimeout: 280_000,
    hookTimeout: 120_000,
  },
});
