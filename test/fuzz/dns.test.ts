import { openDnsTarget } from "./dns/open.ts";
import { fuzzTest } from "./fuzz-test.ts";

fuzzTest("dns", openDnsTarget, { short: 1_500, stated: 1_000_000 });
