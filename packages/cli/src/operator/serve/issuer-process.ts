import { type Config, databaseUrl } from "@mooring/control/settings";
import { type RunningIssuer, startIssuer } from "@mooring/edge";
import { edgeParts } from "./edge-process.ts";

/** A process that obtains certificates and feeds edges without the database. */
export function startIssuerProcess(config: Config): Promise<RunningIssuer> {
  const { host, issuerInternalPort: port } = config;
  return startIssuer({
    ...edgeParts(config, "issuer"),
    databaseUrl: databaseUrl(config),
    internal: port === null ? null : { host, port },
  });
}
