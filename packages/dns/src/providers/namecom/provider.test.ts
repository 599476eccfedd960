import { startNamecom } from "../../../conformance/simulators/namecom.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { namecom } from "./provider.ts";

runConformance(namecom, { simulator: startNamecom });
