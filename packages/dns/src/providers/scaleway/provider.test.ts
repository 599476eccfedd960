import { startScaleway } from "../../../conformance/simulators/scaleway.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { scaleway } from "./provider.ts";

runConformance(scaleway, { simulator: startScaleway });
