import type { Host } from "../hosts/host.ts";
import type { Exchange } from "../http/exchange.ts";
import { type AccessLog, observeExchanges } from "../proxy/access-log.ts";
import { MeasuredExchange } from "../proxy/measured-exchange.ts";
import { exchangeFor, refuse, type ServeContext, serveRequest } from "../proxy/serve-request.ts";
import type { Scheduler } from "../scheduling/scheduler.ts";
import { toNetwork } from "./addresses.ts";
import type { LoadMonitor } from "./load.ts";
import type { Networks } from "./networks.ts";

export interface RequestServiceParts {
  readonly scheduler: Scheduler;
  readonly load: Pick<LoadMonitor, "current">;
  /** Peers that carry requests of many clients, and name them. */
  readonly isProxy: Networks;
  readonly accessLog: AccessLog | undefined;
}

/** Serves the requests of secure connections: measured, and when the scheduler starts them. */
export function createRequestService(
  context: ServeContext,
  parts: RequestServiceParts,
): (host: Host, address: string) => (exchange: Exchange) => void {
  const { scheduler, load, accessLog } = parts;
  const { stats } = context;
  return (host, address) => {
    const { tenantId, applicationId, hostname } = host;
    const observer = observeExchanges(host, { stats, log: accessLog });
    const networkOfClient = clientNetworks(address, context, parts.isProxy);
    // Only connections that arrive under overload are shed; older ones stay served.
    const isNewUnderLoad = load.current() !== "easy";
    const isShedding = (): boolean =>
      isNewUnderLoad && load.current() !== "easy" && scheduler.isBusiest(hostname);
    return (exchange) => {
      const measured = new MeasuredExchange(exchange, observer);
      const ticket = scheduler.enter({
        requester: { tenantId, applicationId, hostname, client: networkOfClient(exchange) },
        start: () => serveRequest(measured, host, isShedding(), context),
        refuse: (reason) =>
          refuse(exchangeFor(measured, host, context), { status: 503, reason }, context, [
            "retry-after",
            "1",
          ]),
      });
      measured.whenReleased(ticket.leave);
    };
  };
}

/** A connection has one client, unless it is a proxy's: then each request names its own. */
function clientNetworks(
  address: string,
  { client }: ServeContext,
  isProxy: Networks,
): (exchange: Exchange) => string {
  if (isProxy(address)) return ({ head }) => toNetwork(client(head.fields, address).address);
  const network = toNetwork(address);
  return () => network;
}
