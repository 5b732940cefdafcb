import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/live/**", "test/crash/**", "test/browser/**", "**/node_modules/**"],
    setupFiles: ["test/setup.ts"],
    testTimeout: 20_000,
    coverage: { provider: "v8", include: ["src/core/**"], thresholds: { lines: 95, functions: 95, statements: 95 } },
  },
});
