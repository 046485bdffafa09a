import { defineConfig } from "vite";

// Relative addresses: the page works from any folder, such as a project's GitHub Pages.
export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // ECharts is one piece, loaded while the first series is fetched
    chunkSizeWarningLimit: 600,
  },
});
