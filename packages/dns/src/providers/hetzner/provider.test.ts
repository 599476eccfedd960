import { startHetzner } from "../../../conformance/simulators/hetzner.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { hetzner } from "./provider.ts";

runConformance(hetzner, { simulator: startHetzner });
