import { mustWaitForBegin } from "./config.ts";

/** How a process is asked to end: by a signal, or because its parent has ended. */
export interface EndRequest {
  readonly signal: AbortSignal;
  /** Resolves when the process is asked to end. */
  readonly asked: Promise<void>;
  /** All requests so far. Two signals that come together may arrive in either order. */
  readonly reasons: ReadonlySet<EndReason>;
  /** Removes the listeners, so that they do not prevent the exit. */
  release(): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type EndReason = (typeof signals)[number] | "disconnect" | "orphaned";

export interface EndOptions {
  /**
   * Also end when the parent process ends. For a process that has no channel to its parent and
   * must not outlive it: `npm start`, whose npm may be killed.
   */
  readonly withParent?: boolean;
  /**
   * False for a process in which SIGHUP means something else; it is ignored until that is set up.
   */
  readonly withHangup?: boolean;
}

/** A child is handed to another parent when its own ends; there is no event for it. */
const parentPollMs = 500;

/**
 * Listens from this call on. The first request begins the end and a further one does not interrupt
 * it: Ctrl-C reaches children and parent alike.
 */
export function listenForEnd(options: EndOptions = {}): EndRequest {
  const { withParent = false, withHangup = true } = options;
  const controller = new AbortController();
  // Node 20, on which the published command line runs, has no Promise.withResolvers.
  let resolve = (): void => undefined;
  const asked = new Promise<void>((done) => {
    resolve = done;
  });
  const reasons = new Set<EndReason>();
  const end = (reason: EndReason): void => {
    reasons.add(reason);
    controller.abort();
    resolve();
  };
  const disconnected = (): void => end("disconnect");
  const onSignal = (name: (typeof signals)[number]): void => {
    if (name !== "SIGHUP" || withHangup) end(name);
  };
  for (const name of signals) process.on(name, onSignal);
  if (process.send) {
    process.on("disconnect", disconnected);
    // The channel may have closed while modules were being loaded.
    if (!process.connected) disconnected();
  }
  const timer = withParent ? watchParent(() => end("orphaned")) : undefined;
  return {
    signal: controller.signal,
    asked,
    reasons,
    release() {
      clearInterval(timer);
      for (const name of signals) process.off(name, onSignal);
      process.off("disconnect", disconnected);
      if (process.connected) process.disconnect();
    },
  };
}

function watchParent(onOrphaned: () => void): NodeJS.Timeout {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) onOrphaned();
  }, parentPollMs);
  return timer.unref();
}

/** What a child sends to its supervisor once it serves. */
export const readyMessage = { type: "ready" } as const;

/** What a supervisor sends to a child that waits. */
export const beginMessage = { type: "begin" } as const;

/** Reports to the supervisor that this process serves; false when there is no supervisor. */
export function reportReady(): boolean {
  if (!process.send || !process.connected) return false;
  process.send(readyMessage);
  return true;
}

/** Resolves when the parent sends the begin message; at once in a process that need not wait. */
export function waitForBegin(): Promise<void> {
  return new Promise((resolve) => {
    if (!mustWaitForBegin() || !process.send) return resolve();
    const onMessage = (message: unknown): void => {
      if (!hasType(message, beginMessage.type)) return;
      process.off("message", onMessage);
      resolve();
    };
    process.on("message", onMessage);
  });
}

/** Whether a message from a process has this `type`. */
export function hasType(message: unknown, type: string): boolean {
  return (
    typeof message === "object" && message !== null && "type" in message && message.type === type
  );
}
