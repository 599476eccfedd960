import type { SendHandle } from "node:child_process";
import type { Server } from "node:net";

/** The two public ports. */
export type ListenerName = "http" | "https";

/**
 * How a worker gets its listening sockets. A worker that replaces another takes over the very
 * sockets of that one, so that no connection in their queues is lost.
 */
export interface ListenerHandover {
  /**
   * What `net.Server.listen` takes for a socket that listens already, such as that of the worker
   * before; null for a worker that has to open its own.
   */
  take(name: ListenerName): Promise<object | null>;
  /** Gives a copy of the socket to the process that starts the workers. */
  offer(name: ListenerName, server: Server): void;
}

interface HandoverMessage {
  readonly type: "edge_listener_take" | "edge_listener_given" | "edge_listener_offer";
  readonly listener: ListenerName;
}

/**
 * For sockets that a service manager has opened and holds across restarts; each process that gets
 * their file descriptors accepts on the same ones.
 */
export function createInheritedListeners(
  descriptors: Readonly<Record<ListenerName, number>>,
): ListenerHandover {
  return {
    take: async (name) => ({ fd: descriptors[name] }),
    offer: () => undefined,
  };
}

/** The channel of a worker to the process that started it; `process` fits. */
export interface WorkerChannel {
  send?: ((message: object, handle?: SendHandle) => boolean) | undefined;
  on(event: "message", listener: (message: unknown, handle: unknown) => void): unknown;
  off(event: "message", listener: (message: unknown, handle: unknown) => void): unknown;
}

/** The worker's side. */
export function createListenerHandover(channel: WorkerChannel): ListenerHandover {
  return {
    take(listener) {
      return new Promise((resolve) => {
        const onMessage = (message: unknown, handle: unknown): void => {
          if (!isHandover(message) || message.type !== "edge_listener_given") return;
          if (message.listener !== listener) return;
          channel.off("message", onMessage);
          resolve(isObject(handle) ? handle : null);
        };
        channel.on("message", onMessage);
        channel.send?.({ type: "edge_listener_take", listener } satisfies HandoverMessage);
      });
    },
    offer(listener, server) {
      channel.send?.(
        { type: "edge_listener_offer", listener } satisfies HandoverMessage,
        rawHandle(server),
      );
    },
  };
}

/**
 * The side of the process that starts the workers. It never accepts on the sockets that it holds: a
 * raw handle, unlike a `net.Server`, does not start to listen where it arrives.
 */
export interface HeldListeners {
  /** True when the message was about a listener. */
  receive(
    from: { readonly name: string; readonly reply: (message: object, handle?: SendHandle) => void },
    message: unknown,
    handle: unknown,
  ): boolean;
  /** A worker crashed: its sockets close, so that the kernel gives them no further connection. */
  close(worker: string): void;
  /** The edge stops: nobody accepts any more, and clients must not wait for it. */
  closeAll(): void;
}

export function createHeldListeners(): HeldListeners {
  const held = new Map<string, Map<ListenerName, RawHandle>>();

  function close(worker: string): void {
    for (const handle of held.get(worker)?.values() ?? []) handle.close();
    held.delete(worker);
  }

  return {
    receive({ name, reply }, message, handle) {
      if (!isHandover(message)) return false;
      const { listener } = message;
      if (message.type === "edge_listener_offer" && isRawHandle(handle)) {
        const ofWorker = held.get(name) ?? new Map<ListenerName, RawHandle>();
        held.set(name, ofWorker);
        // A worker that took the socket does not offer it; this is the first one.
        ofWorker.get(listener)?.close();
        ofWorker.set(listener, handle);
      } else if (message.type === "edge_listener_take") {
        const known = held.get(name)?.get(listener);
        const given = { type: "edge_listener_given", listener } satisfies HandoverMessage;
        if (known === undefined) reply(given);
        else reply(given, known as unknown as SendHandle);
      }
      return true;
    },
    close,
    closeAll() {
      for (const worker of [...held.keys()]) close(worker);
    },
  };
}

interface RawHandle {
  close(): void;
}

/**
 * `net.Server` documents the member `_handle` for `listen(handle)`; its types do not have it. Node
 * sends raw handles as it does the classes around them.
 */
function rawHandle(server: Server): SendHandle {
  const { _handle: handle } = server as Server & { readonly _handle?: object };
  if (handle === undefined || handle === null) throw new Error("the server does not listen");
  return handle as SendHandle;
}

function isRawHandle(handle: unknown): handle is RawHandle {
  return isObject(handle) && "close" in handle && typeof handle.close === "function";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isHandover(message: unknown): message is HandoverMessage {
  return (
    isObject(message) &&
    "type" in message &&
    typeof message.type === "string" &&
    message.type.startsWith("edge_listener_")
  );
}
