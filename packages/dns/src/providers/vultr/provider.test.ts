import { startVultr } from "../../../conformance/simulators/vultr.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { vultr } from "./provider.ts";

runConformance(vultr, { simulator: startVultr });
