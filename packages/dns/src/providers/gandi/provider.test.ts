import { startGandi } from "../../../conformance/simulators/gandi.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { gandi } from "./provider.ts";

runConformance(gandi, { simulator: startGandi });
