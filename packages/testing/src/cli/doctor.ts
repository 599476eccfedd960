import assert from "node:assert/strict";
import type { Finding } from "../../../cli/src/operator/doctor/checks/finding.ts";
import { examine } from "../../../cli/src/operator/doctor/doctor.ts";

/** What `mooring doctor` finds of one check with exactly this environment. */
export async function findFinding(
  check: string,
  env: Readonly<Record<string, string>>,
): Promise<Finding> {
  const findings = await examine(env);
  const finding = findings.find((one) => one.check === check);
  assert.ok(finding, JSON.stringify(findings));
  return finding;
}
