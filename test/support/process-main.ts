import { flushCompileCache } from "node:module";
import { readConfig, startApi, startWorker } from "../../packages/control/src/index.ts";
import { createNetworkResolver } from "../../packages/dns/src/index.ts";

/**
 * One process of the product as a child of a test: `api` or `worker`, configured by its environment
 * and, where the product has no setting for what a test needs, by variables that start with TEST_.
 */
const config = readConfig();
const options = { resolver: patientResolver(), leaseMs: numberOf("TEST_LEASE_MS") ?? 30_000 };
const running =
  process.argv[2] === "api" ? await startApi(config) : await startWorker(config, options);
process.send?.({ url: "url" in running ? running.url : null });
// Otherwise kept at the end, which one that is killed does not come to.
flushCompileCache();

// A test that died must not leave processes behind.
process.once("disconnect", () => process.exit(0));
process.once("SIGTERM", () => void running.close().then(() => process.exit(0)));

/** Waits long enough for an answer to outlast a freeze, and asks as often as it likes. */
function patientResolver() {
  const unlimited = { ratePerSecond: 10_000, burst: 10_000, maxInFlight: 256 };
  return createNetworkResolver({
    resolvers: config.dnsResolvers,
    authoritativePort: config.dnsAuthoritativePort,
    limits: {
      attemptTimeoutMs: numberOf("TEST_DNS_TIMEOUT_MS") ?? 2_000,
      callTimeoutMs: 60_000,
      authoritative: unlimited,
      recursive: unlimited,
    },
  });
}

function numberOf(variable: string): number | undefined {
  const text = process.env[variable];
  return text === undefined ? undefined : Number(text);
}
