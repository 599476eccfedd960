import { enableCompileCache } from "node:module";

// As `mooring serve edge` does.
enableCompileCache();
const { caaIssuer, createLogger, databaseUrl, loadRootKeys, readConfig } = await import(
  "@mooring/control"
);
const { startEdge } = await import("@mooring/edge");

/**
 * One edge process of the product, configured by its environment. The bounds per address are out of
 * the way, since all load comes from one, and so is shedding: the others do not shed either.
 */
const config = readConfig();
const edge = await startEdge({
  settings: config,
  databaseUrl: databaseUrl(config),
  rootKeys: loadRootKeys(config),
  resolvers: config.DNS_RESOLVERS,
  caaNames: (directory) => caaIssuer([directory]).issuers,
  log: createLogger({ level: config.LOG_LEVEL, name: "edge" }),
  limits: {
    connectionsPerAddress: 1_000_000,
    handshakesPerAddressPerSecond: 1_000_000,
    shedDelayMs: Number.POSITIVE_INFINITY,
    refuseDelayMs: Number.POSITIVE_INFINITY,
  },
});
console.log(`listening on ${edge.httpsPort}`);
process.once("SIGTERM", () => void edge.close().then(() => process.exit(0)));
