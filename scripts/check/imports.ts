import { cruise, type ICruiseResult } from "dependency-cruiser";
import { cruiseOptions, law } from "./import-law.ts";

/**
 * Checks the import law. Too few modules are an error: without a transpiler the cruiser finds no modules
 * and therefore no violations.
 */
const minModules = 60;

const { output } = await cruise(["packages"], {
  ...cruiseOptions,
  ruleSet: law,
  validate: true,
});
const result = output as ICruiseResult;
for (const violation of result.summary.violations) {
  const rule = [...law.forbidden, ...law.required].find((one) => one.name === violation.rule.name);
  console.error(
    `${violation.from} → ${violation.to}\n  ${violation.rule.name}: ${rule?.comment ?? ""}`,
  );
}
const found = result.modules.filter((module) => module.source.startsWith("packages/")).length;
if (found < minModules) console.error(`found only ${found} modules; the check is incomplete`);
process.exitCode = result.summary.error > 0 || found < minModules ? 1 : 0;
