import type { Clock } from "@mooring/postgres";
import type { Log } from "../../config/settings.ts";
import { HostNode } from "../../hosts/store/host-node.ts";
import type { Change } from "../../hosts/store/host-store.ts";
import { type KnownHosts, served } from "../../hosts/view/known-hosts.ts";
import { parseHostname, progressSubject } from "./subjects.ts";
import { decodeApplication, decodeHost, decodeProgress } from "./values.ts";

/** The known hosts by the messages of a stream, each the newest value of its subject. */
export interface StreamHosts extends KnownHosts {
  /**
   * Opens the store of the machine; messages from its position on follow, if this process writes
   * it.
   */
  open(directory: string | null): void;
  isWriter(): boolean;
  isServing(): boolean;
  position(): string | null;
  asOf(): string | null;
  /** All messages of the stream follow, from its beginning. */
  begin(): void;
  receive(subject: string, data: Uint8Array): void;
  /** Calls back once, when all that came before was the whole state. */
  onceConfirmed(listener: () => void): void;
  close(): void;
}

const hostPrefix = "mooring.edge.state.host.";
const applicationPrefix = "mooring.edge.state.application.";
/** Values that are written together, and how long the first of them waits. */
const batchSize = 2_000;
const batchMs = 10;

/** The way through the stream that the hosts come by. */
interface Way {
  position(): string | null;
  /**
   * This process writes the hosts from now on, or writes them to a new store: everything from
   * `position` is requested.
   */
  start(): void;
  /** Goes back to the beginning of the stream. */
  restart(): void;
}

/**
 * A reading of the stream from its beginning. What it does not have is gone only at the second
 * confirmation: a value that is written again moves to the end of the stream, at first perhaps
 * behind the one confirmation that is read.
 */
interface Replay {
  confirmed: number;
}

export function createStreamHosts(
  parts: { readonly clock: Clock; readonly log: Log },
  way: Way,
): StreamHosts {
  const { log } = parts;
  const node = new HostNode({ ...parts, onWriting: way.start, endsByAge: true });
  let replay: Replay | null = null;
  /**
   * Whether messages came while another process wrote: the stream is then read from its beginning.
   */
  let hasMissed = false;
  let waiting: (() => void)[] = [];
  let confirming: Promise<void> = Promise.resolve();

  /**
   * What cannot be written is read again: the stream is then read from its beginning, into a new
   * store.
   */
  const { put, flush } = createBatch((changes) => {
    hasMissed ||= !node.isWriter();
    if (hasMissed) return;
    try {
      node.write(changes, replay === null ? { place: way.position() } : {});
    } catch (error) {
      hasMissed = !node.isWriter();
      log.warn({ err: error, changes: changes.length }, "hosts not refreshed");
    }
  });

  async function confirmReplay(current: Replay): Promise<void> {
    current.confirmed += 1;
    if (current.confirmed < 2) return;
    await node.endRound();
    if (replay === current) replay = null;
  }

  async function confirm(at: Date): Promise<void> {
    hasMissed ||= !node.isWriter();
    if (hasMissed) return;
    // What was removed so long ago may have been deleted from the stream: a replay shows what is
    // left.
    if (node.isTooOld() && replay === null) return way.restart();
    if (replay !== null) await confirmReplay(replay);
    if (node.isTooOld() && replay !== null) return;
    flush();
    await node.confirm(at, replay === null ? way.position() : null);
    for (const listener of waiting.splice(0)) listener();
  }

  return {
    ...served(node),
    get size() {
      return node.view.size;
    },
    open: (directory) => node.open(directory),
    isWriter: () => node.isWriter(),
    isServing: () => node.view.isServing(),
    position: () => node.state()?.place ?? null,
    asOf: () => node.state()?.asOf ?? null,
    begin() {
      flush();
      if (!node.isWriter()) return;
      hasMissed = false;
      node.beginRound();
      replay = { confirmed: 0 };
    },
    receive(subject, data) {
      if (subject.startsWith(hostPrefix)) {
        put({ hostname: parseHostname(subject), host: decodeHost(data) });
      } else if (subject.startsWith(applicationPrefix)) {
        const applicationId = subject.slice(applicationPrefix.length);
        put({ applicationId, application: decodeApplication(data) });
      } else if (subject === progressSubject) {
        const { asOf } = decodeProgress(data);
        if (asOf === null) return;
        confirming = confirming
          .then(() => confirm(asOf))
          .catch((error: unknown) => log.warn({ err: error }, "hosts not confirmed"));
      }
    },
    onceConfirmed(listener) {
      waiting = [...waiting, listener];
    },
    close() {
      flush();
      node.close();
    },
  };
}

/** Collects changes, and writes them when they are many or the first has waited. */
function createBatch(write: (changes: readonly Change[]) => void) {
  let pending: Change[] = [];
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    const changes = pending;
    pending = [];
    if (changes.length > 0) write(changes);
  };
  return {
    flush,
    put(change: Change): void {
      pending.push(change);
      if (pending.length >= batchSize) flush();
      else timer ??= setTimeout(flush, batchMs);
    },
  };
}
