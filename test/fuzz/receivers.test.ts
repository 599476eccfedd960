import { fuzzTest } from "./fuzz-test.ts";
import { openReceiversTarget } from "./receivers/open.ts";

fuzzTest("receivers", openReceiversTarget, { short: 500, stated: 100_000 });
