import path from "node:path";
import { build, type InlineConfig } from "vite";

/** JSX and TypeScript need no plugin. */
const config: InlineConfig = {
  root: import.meta.dirname,
  base: "/console/",
  configFile: false,
  logLevel: "warn",
  resolve: {
    // Matches react-remove-scroll exactly; see the file.
    alias: [
      {
        find: /^react-remove-scroll$/,
        replacement: path.join(import.meta.dirname, "src/ui/remove-scroll.tsx"),
      },
    ],
  },
  oxc: { jsx: { runtime: "automatic" } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: ["chrome120", "firefox121", "safari17.2"],
    assetsInlineLimit: 0, // a data: URL would need a wider content security policy
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: "manifest.json",
    rolldownOptions: {
      // The API caches names with a hexadecimal hash for ever.
      output: { hashCharacters: "hex" },
      onLog: (level, log, report) => {
        // React's marks for servers, of which there is none here, and how busy the machine is.
        if (!["MODULE_LEVEL_DIRECTIVE", "PLUGIN_TIMINGS"].includes(log.code ?? ""))
          report(level, log);
      },
    },
  },
};

/** Writes the console to `dist`. */
export async function buildBundle(): Promise<void> {
  await build(config);
}
