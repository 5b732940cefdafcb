import fc from "fast-check";

// A fixed seed: the suite is deterministic, and a failure prints the seed that repeats it.
fc.configureGlobal({ seed: 20_260_801, numRuns: 100 });
