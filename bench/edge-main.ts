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
 * One edge process of the product, configured by its environment. The bounds per address are out of
 * the way, since all load comes from one, and so is shedding: the others do not shed either.
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
