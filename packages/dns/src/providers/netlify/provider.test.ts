import { startNetlify } from "../../../conformance/simulators/netlify.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { netlify } from "./provider.ts";

runConformance(netlify, { simulator: startNetlify });
