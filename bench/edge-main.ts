import {
  byVariable,
  caaIssuer,
  createLogger,
  databaseUrl,
  loadRootKeys,
  readConfig,
} from "@mooring/control/settings";
import { startEdge } from "@mooring/edge";

/**
 * One edge process of the product, configured by its environment. It has no limits per address,
 * since all load comes from one address, and does not shed load, since Caddy and nginx do not
 * either.
 */
const config = readConfig();
const edge = await startEdge({
  settings: byVariable(config),
  databaseUrl: databaseUrl(config),
  rootKeys: loadRootKeys(config),
  resolvers: config.dnsResolvers,
  caaNames: (directory) => caaIssuer([directory]).issuers,
  log: createLogger({ level: config.logLevel, name: "edge" }),
  limits: {
    connectionsPerAddress: 1_000_000,
    handshakesPerAddressPerSecond: 1_000_000,
    shedDelayMs: Number.POSITIVE_INFINITY,
    refuseDelayMs: Number.POSITIVE_INFINITY,
  },
});
console.log(`listening on ${edge.httpsPort}`);
process.once("SIGTERM", () => void edge.close().then(() => process.exit(0)));
