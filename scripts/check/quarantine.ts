import { quarantineProblems, readQuarantine } from "../test/quarantine.ts";

/** Fails when the list of flaky tests is too long or has an expired entry. */
const problems = quarantineProblems(readQuarantine(), new Date());
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
