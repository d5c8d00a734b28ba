import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Addresses are relative, so that the server may be mounted anywhere. Nothing is inlined: the policy of the
// page lets only files of the server run.
export default defineConfig({
  base: "./",
  plugins: [react()],
  build: {
    outDir: process.env["STUDIO_OUT"] ?? "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    license: { fileName: "licenses.txt" },
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1800,
    target: "es2022",
  },
  test: { include: ["test/**/*.test.ts"], environment: "node" },
});
