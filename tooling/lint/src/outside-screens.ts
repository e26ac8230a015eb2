import type { OutsideModule } from "./outside.ts";

const screens = (...files: readonly string[]): readonly string[] => files.map((file) => `apps/desktop/src/${file}`);

/** The owners of the modules of which the screens are built. */
export const screenModules: readonly OutsideModule[] = [
  { modules: ["react"], owners: screens("**/*.ts", "**/*.tsx"), instead: "only the screens are drawn with React" },
  {
    modules: ["react-dom"],
    owners: screens("main.tsx", "app/start.tsx"),
    instead: "the screens are put into their page by main.tsx",
  },
  {
    modules: ["@tanstack/react-router"],
    owners: screens("**/*.ts", "**/*.tsx"),
    instead: "only the screens have addresses",
  },
  {
    modules: ["@tanstack/react-query"],
    owners: screens("data/*.ts", "app/start.tsx"),
    instead: "screens read with data/read.ts, and change with data/change.ts",
  },
  {
    modules: ["@tanstack/react-virtual"],
    owners: screens("components/window-rows.ts", "screens/run/output/*.tsx"),
    instead: "long lists are drawn by components/table.tsx, or with the rows of components/window-rows.ts",
  },
  {
    modules: ["radix-ui"],
    owners: screens("components/dialog.tsx", "components/menu.tsx", "app/palette.tsx"),
    instead: "what floats is drawn by components/dialog.tsx and components/menu.tsx",
  },
  { modules: ["cmdk"], owners: screens("app/palette.tsx"), instead: "everything is found by app/palette.tsx" },
  {
    // lazily: the screens are shown without it
    modules: ["@xyflow/react"],
    owners: screens("screens/task/chain-graph.tsx"),
    instead: "graphs are drawn by screens/task/chain-graph.tsx",
  },
];
