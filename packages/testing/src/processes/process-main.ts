import { flushCompileCache } from "node:module";
import { readConfig, startApi, startWorker } from "../../../control/src/index.ts";
import { createNetworkResolver } from "../../../dns/src/index.ts";

/**
 * One process of the product as a child of a test: `api` or `worker`, configured by its
 * environment. TEST_ variables set what the product has no setting for.
 */
const config = readConfig();
const options = { resolver: testResolver(), leaseMs: readNumber("TEST_LEASE_MS") ?? 30_000 };
const running =
  process.argv[2] === "api" ? await startApi(config) : await startWorker(config, options);
process.send?.({ url: "url" in running ? running.url : null });
// Node writes the cache at exit, which a killed process does not reach.
flushCompileCache();

// Ends with the test, also when the test crashes.
process.once("disconnect", () => process.exit(0));
process.once("SIGTERM", () => void running.close().then(() => process.exit(0)));

/** Waits for an answer longer than a test freezes the process, and has no rate limits. */
function testResolver() {
  const unlimited = { ratePerSecond: 10_000, burst: 10_000, maxInFlight: 256 };
  return createNetworkResolver({
    resolvers: config.dnsResolvers,
    authoritativePort: config.dnsAuthoritativePort,
    limits: {
      attemptTimeoutMs: readNumber("TEST_DNS_TIMEOUT_MS") ?? 2_000,
      callTimeoutMs: 60_000,
      authoritative: unlimited,
      recursive: unlimited,
    },
  });
}

function readNumber(variable: string): number | undefined {
  const text = process.env[variable];
  return text === undefined ? undefined : Number(text);
}
