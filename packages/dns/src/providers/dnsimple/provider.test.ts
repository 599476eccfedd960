import { startDnsimple } from "../../../conformance/simulators/dnsimple.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { dnsimple } from "./provider.ts";

runConformance(dnsimple, { simulator: startDnsimple });
