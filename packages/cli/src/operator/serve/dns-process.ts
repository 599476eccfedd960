import { type Config, ConfigError, createLogger, databaseUrl } from "@mooring/control/settings";
import { startValidationServer } from "@mooring/edge/name-server";
import { listenAddress } from "../../ports.ts";

/** A name server of the validation zone. */
export async function startDnsProcess(config: Config): Promise<{ close(): Promise<void> }> {
  const { validationZone: zone, validationNameServers: nameServers } = config;
  if (zone === null) {
    throw new ConfigError([
      "VALIDATION_ZONE: not set; the name server answers for the zone that it names",
    ]);
  }
  const hosts = await Promise.all(config.validationHosts.map((host) => listenAddress(host)));
  const [host = "::"] = hosts;
  const internalPort = config.validationInternalPort;
  return startValidationServer({
    zone: { zone, nameServers: nameServers.length > 0 ? nameServers : ["localhost"] },
    hosts,
    port: config.validationPort,
    ratePerNetwork: config.validationRateLimit,
    internal: internalPort === null ? null : { host, port: internalPort },
    databaseUrl: databaseUrl(config),
    databasePooler: config.databasePooler,
    log: createLogger({ level: config.logLevel, name: "dns" }),
  });
}
