import { fuzzTest } from "./fuzz-test.ts";
import { openTokensTarget } from "./tokens/open.ts";

fuzzTest("tokens", openTokensTarget, { short: 1_000, stated: 200_000 });
