import { startVercel } from "../../../conformance/simulators/vercel.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { vercel } from "./provider.ts";

runConformance(vercel, { simulator: startVercel });
