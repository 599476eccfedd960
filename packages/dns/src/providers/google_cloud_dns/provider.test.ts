import { startGoogleCloudDns } from "../../../conformance/simulators/google-cloud-dns.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { googleCloudDns } from "./provider.ts";

runConformance(googleCloudDns, { simulator: startGoogleCloudDns });
