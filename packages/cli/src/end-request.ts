/** How a process is asked to end: a signal, or its parent's channel closing. */
export interface EndRequest {
  readonly signal: AbortSignal;
  /** Resolves when the process is asked to end. */
  readonly asked: Promise<void>;
  /** What asked first; null while nothing has. */
  reason(): EndReason | null;
  /** Stops listening, so that nothing keeps the process alive. */
  release(): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type EndReason = (typeof signals)[number] | "disconnect";

/**
 * Listens from this call on; a second request changes nothing, so that Ctrl-C, which reaches
 * children and parent alike, does not cut off a child that is already ending.
 */
export function listenForEnd(): EndRequest {
  const controller = new AbortController();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let first: EndReason | null = null;
  const end = (reason: EndReason): void => {
    first ??= reason;
    controller.abort();
    resolve();
  };
  const disconnected = (): void => end("disconnect");
  for (const name of signals) process.on(name, end);
  if (process.send) {
    process.on("disconnect", disconnected);
    // The parent may have gone while modules were being loaded.
    if (!process.connected) disconnected();
  }
  return {
    signal: controller.signal,
    asked,
    reason: () => first,
    release() {
      for (const name of signals) process.off(name, end);
      process.off("disconnect", disconnected);
      if (process.connected) process.disconnect();
    },
  };
}
