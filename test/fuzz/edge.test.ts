import { openEdgeTarget } from "./edge/open.ts";
import { fuzzTest } from "./fuzz-test.ts";

fuzzTest("edge", openEdgeTarget, { short: 500, stated: 200_000 });
