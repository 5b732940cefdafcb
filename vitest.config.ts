import { defineConfig } from "vitest/config";

/** Suites that never run by default: `vitest run --mode crash`, and so on. Each has its folder. */
const suites = ["crash", "browser", "live"];

export default defineConfig(({ mode }) => ({
  test: {
    include: suites.includes(mode) ? [`test/${mode}/**/*.test.ts`] : ["test/**/*.test.ts"],
    exclude: ["**/node_modules/**", ...suites.filter((suite) => suite !== mode).map((suite) => `test/${suite}/**`)],
    setupFiles: ["test/setup.ts"],
    testTimeout: 20_000,
    passWithNoTests: false,
    coverage: {
      provider: "v8",
      include: ["src/core/**"],
      reporter: ["text-summary"],
      thresholds: { lines: 95, functions: 95, statements: 95 },
    },
  },
}));
