import { startPorkbun } from "../../../conformance/simulators/porkbun.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { porkbun } from "./provider.ts";

runConformance(porkbun, { simulator: startPorkbun });
