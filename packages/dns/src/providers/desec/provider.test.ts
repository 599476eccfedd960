import { startDesec } from "../../../conformance/simulators/desec.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { desec } from "./provider.ts";

runConformance(desec, { simulator: startDesec });
