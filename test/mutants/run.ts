/**
 * Every mutant, or some: `npm run test:mutants -- [--only ID]... [--sample N] [--jobs N]`. `--sample` spreads over the
 * list. Ends with 1 when a mutant survived or could not be run.
 */
import { parseArgs } from "node:util";
import { type Result, runMutants } from "./harness.ts";
import { mutants } from "./mutants.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    sample: { type: "string" },
    jobs: { type: "string", default: "2" },
  },
});

const wanted = mutants.filter(({ id }) => values.only === undefined || values.only.includes(id));
const count = Math.min(wanted.length, Number(values.sample ?? wanted.length));
const chosen = Array.from({ length: count }, (_, index) => wanted[Math.floor((index * wanted.length) / count)]).filter(
  (mutant) => mutant !== undefined,
);

function print({ mutant, verdict, details }: Result): void {
  console.log(`${verdict.padEnd(8)} ${mutant.id.padEnd(6)} ${mutant.file}: ${mutant.note}`);
  if (verdict !== "killed") console.log(`         ${details.join("; ")}`);
}

const results = await runMutants(chosen, { jobs: Number(values.jobs), onResult: print });
const tally = (verdict: string) => results.filter((result) => result.verdict === verdict).length;
console.log(`\n${tally("killed")} killed, ${tally("survived")} survived, ${tally("broken")} broken`);
process.exitCode = results.length > 0 && tally("killed") === results.length ? 0 : 1;
