import type { OriginEvents } from "./origin-connection.ts";
import type { OriginPools, OriginTarget } from "./origin-pools.ts";

/**
 * The status with which an origin answers to GET, on a connection of its own that counts among the
 * tenant's. Rejects when there is none in time.
 */
export async function probeOrigin(
  pools: Pick<OriginPools, "dial">,
  target: OriginTarget,
  request: { readonly path: string; readonly timeoutMs: number },
): Promise<number> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error("no answer in time")), request.timeoutMs);
  try {
    const connection = await pools.dial(target, limit.signal);
    return await new Promise<number>((resolve, reject) => {
      const nothing = (): void => undefined;
      const events: OriginEvents = {
        ...{ onInform: nothing, onEnd: nothing, onOriginDrain: nothing },
        ...{ cork: nothing, uncork: nothing },
        onData: () => true,
        onFail: (failure) => reject(new Error(failure)),
        onSwitch: (_head, socket) => {
          socket.destroy();
          reject(new Error("it switched protocols"));
        },
        onHead: ({ status }) => {
          connection.abandon();
          resolve(status);
        },
      };
      limit.signal.addEventListener("abort", () => {
        connection.abandon();
        reject(limit.signal.reason);
      });
      connection.start("GET", headOf(target, request.path), true, events);
    });
  } finally {
    clearTimeout(timer);
  }
}

function headOf({ authority, prefix }: OriginTarget, path: string): string {
  const lines = [`host: ${authority}`, "user-agent: mooring-health-check", "connection: close"];
  return `GET ${prefix}${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
}
