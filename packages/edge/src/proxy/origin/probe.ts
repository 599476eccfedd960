import type { RequestHead } from "../../http/request-head.ts";
import type { RequestContext } from "../headers.ts";
import type { OriginEvents } from "./exchange.ts";
import type { OriginPools } from "./pools.ts";
import type { OriginTarget } from "./target.ts";

/**
 * The status with which an origin answers to GET, on a connection that counts among the tenant's.
 * Rejects when there is none in time.
 */
export async function probeOrigin(
  pools: Pick<OriginPools, "dial">,
  target: OriginTarget,
  request: { readonly path: string; readonly timeoutMs: number; readonly loopId: string },
): Promise<number> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error("no answer in time")), request.timeoutMs);
  try {
    const origin = await pools.dial(target, limit.signal, false);
    return await new Promise<number>((resolve, reject) => {
      const nothing = (): void => undefined;
      const events: OriginEvents = {
        onInform: () => true,
        onEnd: nothing,
        onOriginDrain: nothing,
        cork: nothing,
        uncork: nothing,
        onData: () => true,
        onFail: (failure) => reject(new Error(failure)),
        onSwitch: (_head, socket) => {
          socket.destroy();
          reject(new Error("it switched protocols"));
        },
        onHead: ({ status }) => {
          origin.abandon();
          resolve(status);
        },
      };
      limit.signal.addEventListener("abort", () => {
        origin.abandon();
        reject(limit.signal.reason);
      });
      origin.start(createHead(target, request.path), createContext(target, request), events);
    });
  } finally {
    clearTimeout(timer);
  }
}

function createHead({ authority }: OriginTarget, path: string): RequestHead {
  return {
    method: "GET",
    target: path,
    version: "1.1",
    authority,
    framing: "none",
    fields: ["user-agent", "mooring-health-check"],
    connection: [],
    expectsContinue: false,
    isWebSocket: false,
    acceptsTrailers: false,
  };
}

/** The client of a check is the edge itself. */
function createContext(
  target: OriginTarget,
  { path, loopId }: { readonly path: string; readonly loopId: string },
): RequestContext {
  return {
    target,
    path: `${target.prefix}${path}`,
    originHostHeader: "origin",
    host: { hostname: target.host },
    client: { address: "127.0.0.1", forwardedFor: "127.0.0.1", forwarded: null },
    assertion: null,
    connectionId: null,
    loopId,
    webSocketKey: null,
  };
}
