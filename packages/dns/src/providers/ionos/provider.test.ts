import { startIonos } from "../../../conformance/simulators/ionos.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ionos } from "./provider.ts";

runConformance(ionos, { simulator: startIonos });
