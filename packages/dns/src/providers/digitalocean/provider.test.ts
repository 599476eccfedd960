import { startDigitalocean } from "../../../conformance/simulators/digitalocean.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { digitalocean } from "./provider.ts";

runConformance(digitalocean, { simulator: startDigitalocean });
