import { openApiTarget } from "./api/open.ts";
import { fuzzTest } from "./fuzz-test.ts";

fuzzTest("api", openApiTarget, { short: 1_500, stated: 1_000_000, promise: "G10" });
