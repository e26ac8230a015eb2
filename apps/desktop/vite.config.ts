import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Writes the screens to dist: one page, and files whose names change with their content. */
export default defineConfig({
  base: "./",
  plugins: [react(), tailwind()],
  resolve: { conditions: ["@belfry/source"] },
  build: {
    target: "es2023",
    // a data address would be refused by the page's policy
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
