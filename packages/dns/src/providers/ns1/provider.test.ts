import { startNs1 } from "../../../conformance/simulators/ns1.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ns1 } from "./provider.ts";

runConformance(ns1, { simulator: startNs1 });
