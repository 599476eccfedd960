import { startLinode } from "../../../conformance/simulators/linode.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { linode } from "./provider.ts";

runConformance(linode, { simulator: startLinode });
