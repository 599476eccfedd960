import { startBunny } from "../../../conformance/simulators/bunny.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { bunny } from "./provider.ts";

runConformance(bunny, { simulator: startBunny });
