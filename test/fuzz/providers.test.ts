import { fuzzTest } from "./fuzz-test.ts";
import { openProvidersTarget } from "./providers/open.ts";

fuzzTest("providers", openProvidersTarget, { short: 300, stated: 100_000 });
