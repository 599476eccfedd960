import type { Clock } from "@mooring/postgres";
import { createLookups } from "../../hosts/covered-hosts.ts";
import { type HostSet, snapshotMaxAgeMs } from "../../hosts/host-snapshot.ts";
import type { KnownHosts } from "../../hosts/known-hosts.ts";
import { createStreamValues } from "./stream-values.ts";
import { hostnameOf, progressSubject } from "./subjects.ts";
import { decodeApplication, decodeHost, decodeProgress } from "./values.ts";

/** The known hosts by the messages of a stream, each the newest value of its subject. */
export interface StreamHosts extends KnownHosts {
  /** Uses a set from the disk copy; messages from its place on follow. */
  restore(set: HostSet): void;
  /** All messages of the stream follow, from its beginning. */
  begin(): void;
  receive(subject: string, data: Uint8Array): void;
  /** Calls back once, when all that came before was the whole state. */
  onceConfirmed(listener: () => void): void;
}

const hostPrefix = "mooring.edge.state.host.";
const applicationPrefix = "mooring.edge.state.application.";

/** The way through the stream that the hosts come by. */
interface Way {
  place(): string | null;
  /** Goes back to the beginning of the stream. */
  restart(): void;
}

export function createStreamHosts(clock: Clock, way: Way): StreamHosts {
  const values = createStreamValues();
  const { map } = values;
  let asOf: Date | null = null;
  let waiting: (() => void)[] = [];

  const isTooOld = (): boolean =>
    asOf !== null && clock.now().getTime() - asOf.getTime() > snapshotMaxAgeMs;

  const confirm = (at: Date): void => {
    // What was removed so long ago may have been deleted from the stream: a replay shows what is left.
    if (isTooOld() && values.isReplayed()) {
      way.restart();
      return;
    }
    values.confirm();
    if (isTooOld() && !values.isReplayed()) return;
    asOf = at;
    for (const listener of waiting.splice(0)) listener();
  };

  return {
    ...createLookups((hostname) => (isTooOld() ? null : (map.hosts.get(hostname) ?? null))),
    applicationOf: map.applicationOf,
    get size() {
      return map.hosts.size;
    },
    current: () =>
      asOf && {
        asOf,
        // A set that is not whole yet is read again from the beginning.
        place: values.isReplayed() ? way.place() : null,
        applications: values.applications(),
        hosts: map.hosts.values(),
      },
    revision: values.revision,
    onRemoved: map.onRemoved,
    restore(set) {
      for (const stored of set.applications) values.putApplication(stored.id, stored);
      for (const host of set.hosts) values.putHost(host.hostname, host);
      asOf = set.asOf;
      values.endReplay();
    },
    begin: values.beginReplay,
    receive(subject, data) {
      if (subject.startsWith(hostPrefix)) values.putHost(hostnameOf(subject), decodeHost(data));
      else if (subject.startsWith(applicationPrefix)) {
        values.putApplication(subject.slice(applicationPrefix.length), decodeApplication(data));
      } else if (subject === progressSubject) {
        const progress = decodeProgress(data);
        if (progress.asOf !== null) confirm(progress.asOf);
      }
    },
    onceConfirmed(listener) {
      waiting = [...waiting, listener];
    },
  };
}
