import type { EdgeParts } from "../../config/settings.ts";
import type { ReportedOrigin } from "../../db/origin-health.ts";
import type { HostSet } from "../../hosts/host-snapshot.ts";
import type { EdgeFeed, FeedChanges, KeyFeed, OriginFeed, PresenceFeed } from "../feed.ts";
import { type Follower, followStream, type Place } from "./follow.ts";
import { type NatsLink, openLink } from "./link.ts";
import { createNatsCertificates } from "./nats-certificates.ts";
import { createStreamHosts, type StreamHosts } from "./stream-hosts.ts";
import {
  assertionKeysSubject,
  certificateSubjects,
  originsSubject,
  stateSubjects,
  ticketKeysSubject,
} from "./subjects.ts";
import { decodeAssertionKeys, decodeTicketKeys } from "./values.ts";

/** How long a start with a disk copy waits for the changes since then. */
const catchUpMs = 2_000;
/** How long one without waits for the next message: the stream may not be written yet. */
const silenceMs = 60_000;

/**
 * The feed of an edge without the database: a relay writes full values to a stream of NATS, and processes with the
 * database answer the rest. Certificates come by themselves: such an edge obtains none.
 */
export function openNatsFeed(parts: EdgeParts): EdgeFeed {
  const { settings, log } = parts;
  const clock = parts.clock ?? { now: () => new Date() };
  const link = openLink(settings, "mooring edge", log);
  const certificates = createNatsCertificates(link);
  let state: Follower | null = null;
  let changed: Follower | null = null;
  let changes: FeedChanges | null = null;
  let received = 0;
  // The server may have lost the stream, or be another one.
  link.onConnected(() => {
    for (const follower of [state, changed]) follower?.check();
  });
  const hosts = createStreamHosts(clock, {
    place: () => placeText(state?.place() ?? null),
    restart: () => state?.restart(),
  });
  return {
    ...{ clock, hosts, certificates },
    keys: createNatsKeys(link),
    origins: createNatsOrigins(link),
    presence: createNatsPresence(link),
    replica: null,
    async loadHosts(snapshot) {
      const set = snapshot.load(clock.now());
      if (set) hosts.restore(set);
      state = followStream({
        ...{ client: link.client, subjects: stateSubjects, from: placeIn(set), log },
        onBegin() {
          hosts.begin();
          changed?.check();
        },
        onMessage({ subject, data }) {
          received += 1;
          hosts.receive(subject, data);
          if (subject === ticketKeysSubject) changes?.ticketKeys();
        },
      });
      if (await confirmed(hosts, () => received, set ? catchUpMs : silenceMs)) return "source";
      if (set === null) throw new Error("NATS gave no hosts, and there is no copy of them on disk");
      log.warn({ hosts: hosts.size }, "NATS unreachable, serving the host snapshot");
      return "disk";
    },
    follow(targets) {
      changes = targets;
      link.subscribe(originsSubject, targets.origins);
      changed = followStream({
        ...{ client: link.client, subjects: certificateSubjects, from: null, log },
        ...{ isFromNow: true, isHeadersOnly: true },
        onBegin: targets.everyCertificate,
        onMessage: ({ subject, seq }) => targets.certificate(certificates.noted(subject, seq)),
      });
    },
    drain: async () => undefined,
    async close() {
      await Promise.all([state?.stop(), changed?.stop()]);
      await link.close();
    },
  };
}

/** Whether the stream confirms the hosts before it is silent for this long. */
function confirmed(hosts: StreamHosts, received: () => number, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    let before = received();
    const timer = setInterval(() => {
      if (received() > before) before = received();
      else end(false);
    }, withinMs);
    const end = (isConfirmed: boolean): void => {
      clearInterval(timer);
      resolve(isConfirmed);
    };
    hosts.onceConfirmed(() => end(true));
  });
}

function placeText(place: Place | null): string | null {
  return place && `${place.created} ${place.sequence}`;
}

function placeIn(set: HostSet | null): Place | null {
  const [created, sequence] = set?.place?.split(" ") ?? [];
  return created && sequence ? { created, sequence: Number(sequence) } : null;
}

function createNatsKeys(link: NatsLink): KeyFeed {
  const read = async (subject: string): Promise<Uint8Array> => {
    const found = await link.newest(subject);
    if (found === null) throw new Error("the keys are not in the stream yet");
    return found.data;
  };
  return {
    ticketKeys: async () => decodeTicketKeys(await read(ticketKeysSubject)),
    assertionKeys: async () => decodeAssertionKeys(await read(assertionKeysSubject)),
  };
}

function createNatsOrigins(link: NatsLink): OriginFeed {
  return {
    // The desk answers with what the same function of the other feed returns.
    report: async (reports) =>
      (await link.ask("report-origins", { reports })) as readonly ReportedOrigin[],
    async failing() {
      const rows = (await link.ask("failing-origins", {})) as readonly [string, string][];
      return new Map(rows.map(([id, at]) => [id, new Date(at)]));
    },
    recheck: async (connectionId) => void (await link.ask("recheck", { connectionId })),
  };
}

function createNatsPresence(link: NatsLink): PresenceFeed {
  return {
    tell: async (edge) => void (await link.ask("presence", { edge })),
    leave: async (id) => void (await link.ask("leave", { id })),
  };
}
