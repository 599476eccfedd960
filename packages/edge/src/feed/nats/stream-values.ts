import type { StoredApplication } from "../../hosts/application.ts";
import { createHostMap, type HostMap } from "../../hosts/host-map.ts";
import type { ApplicationValue, HostValue } from "./values.ts";

/** The hosts and applications of a stream. Read from its beginning, it tells by the end what is no longer there. */
export interface StreamValues {
  readonly map: HostMap;
  /** Also those without a host: the next host of one comes without it. */
  applications(): Iterable<StoredApplication>;
  putHost(hostname: string, host: HostValue): void;
  putApplication(id: string, application: ApplicationValue): void;
  beginReplay(): void;
  endReplay(): void;
  /** All that came before was whole. */
  confirm(): void;
  /** Grows with every change, also of an application without a host. */
  revision(): number;
  /** Whether nothing is here that the stream does not have. */
  isReplayed(): boolean;
}

/**
 * What has been seen since the beginning of the stream. The rest is gone only at the second confirmation: a value
 * that is written anew moves to the end of the stream, at first perhaps behind the one confirmation that is read.
 */
interface Replay {
  readonly seen: Set<string>;
  confirmed: number;
}

export function createStreamValues(): StreamValues {
  const map = createHostMap();
  const applications = new Map<string, StoredApplication>();
  let replay: Replay | null = null;
  let applicationChanges = 0;

  const removeApplication = (id: string): void => {
    applicationChanges += 1;
    applications.delete(id);
    map.removeApplication(id);
  };
  const removeUnseen = (seen: ReadonlySet<string>): void => {
    for (const name of [...map.hosts.keys()]) if (!seen.has(name)) map.put(name, null);
    for (const id of [...applications.keys()]) if (!seen.has(id)) removeApplication(id);
  };

  return {
    map,
    applications: () => applications.values(),
    putHost(hostname, host) {
      replay?.seen.add(hostname);
      if (host === null && !map.hosts.has(hostname)) return;
      const stored = host === null ? undefined : applications.get(host.applicationId);
      if (stored && map.application(stored.id) === null) map.putApplication(stored);
      map.put(hostname, host);
    },
    putApplication(id, stored) {
      replay?.seen.add(id);
      if (stored === null) return removeApplication(id);
      applicationChanges += 1;
      applications.set(id, stored);
      if (map.isUsed(id)) map.putApplication(stored);
    },
    beginReplay() {
      replay = { seen: new Set(), confirmed: 0 };
    },
    endReplay() {
      replay = null;
    },
    confirm() {
      if (replay === null) return;
      replay.confirmed += 1;
      if (replay.confirmed < 2) return;
      removeUnseen(replay.seen);
      replay = null;
    },
    revision: () => map.revision() + applicationChanges,
    isReplayed: () => replay === null,
  };
}
