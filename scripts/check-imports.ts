import { cruise, type ICruiseResult } from "dependency-cruiser";
import { cruiseOptions, law } from "./import-law.ts";

/**
 * The import law. The number of modules seen is asserted: with a missing transpiler the cruiser
 * would see none and find nothing wrong.
 */
const leastModules = 60;

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
const seen = result.modules.filter((module) => module.source.startsWith("packages/")).length;
if (seen < leastModules) console.error(`saw only ${seen} modules; the check is blind`);
process.exitCode = result.summary.error > 0 || seen < leastModules ? 1 : 0;
