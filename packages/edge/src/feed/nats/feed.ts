import { setTimeout as delay } from "node:timers/promises";
import type { Vault } from "@mooring/vault";
import type { EdgeParts } from "../../config/settings.ts";
import type { ReportedOrigin } from "../../db/origin-health.ts";
import type { EdgeFeed, KeyFeed, OriginFeed, PresenceFeed, TrafficFeed } from "../feed.ts";
import { createNatsCertificates } from "./certificates.ts";
import { type Follower, followStream, type StreamPosition } from "./follow.ts";
import { type NatsLink, openLink } from "./link.ts";
import { createSignatures } from "./signatures.ts";
import { createStreamHosts, type StreamHosts } from "./stream-hosts.ts";
import {
  assertionKeysSubject,
  certificateSubjects,
  originsSubject,
  stateSubjects,
  ticketKeysSubject,
} from "./subjects.ts";
import { decodeAssertionKeys, decodeTicketKeys } from "./values.ts";

/** How long a start with stored hosts waits for the changes since then. */
const catchUpMs = 2_000;
/** How long one without waits for the next message: the stream may not be written yet. */
const silenceMs = 60_000;
/** Progress is written every two seconds. */
const progressMs = 3_000;
const pollMs = 20;

/**
 * The feed of an edge without the database: the stream writer writes full values to a stream of
 * NATS, and processes with the database answer the rest. Certificates come by themselves: such an
 * edge obtains none. Of the processes of a machine one reads the hosts.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory
export function openNatsFeed(parts: EdgeParts, vault: Vault): EdgeFeed {
  const { settings, log } = parts;
  const clock = parts.clock ?? { now: () => new Date() };
  const signatures = createSignatures(vault);
  const link = openLink({ settings, signatures, clock, log });
  const certificates = createNatsCertificates(link);
  let state: Follower | null = null;
  let followers: readonly Follower[] = [];
  let received = 0;
  const checkFollowers = (): void => {
    for (const follower of followers) follower.check();
  };
  // The server may have lost the stream, or be another one.
  link.onConnected(() => {
    state?.check();
    checkFollowers();
  });
  const way = {
    position: () => formatPosition(state?.position() ?? null),
    restart: () => state?.restart(),
    start(): void {
      state?.restart();
      state ??= followStream({
        client: link.client,
        subjects: stateSubjects,
        from: parsePosition(hosts.position()),
        log,
        onBegin() {
          hosts.begin();
          checkFollowers();
        },
        onMessage({ subject, seq: sequence, data, headers }) {
          received += 1;
          if (!signatures.isValue({ subject, sequence, data }, headers)) {
            throw new Error("no issuer signed it");
          }
          hosts.receive(subject, data);
        },
      });
    },
  };
  const hosts = createStreamHosts({ clock, log }, way);
  return {
    clock,
    hosts,
    certificates,
    keys: createNatsKeys(link),
    origins: createNatsOrigins(link),
    presence: createNatsPresence(link),
    traffic: createNatsTraffic(link),
    replica: null,
    async loadHosts(directory) {
      hosts.open(directory);
      while (!hosts.isWriter()) {
        if (hosts.isServing()) return await awaitNews(hosts);
        await delay(pollMs);
      }
      const isStored = hosts.isServing();
      const isConfirmed = await confirmed(hosts, () => received, isStored ? catchUpMs : silenceMs);
      if (isConfirmed) return "source";
      if (!isStored) throw new Error("NATS gave no hosts, and there are none on disk");
      log.warn({ hosts: hosts.size }, "NATS unreachable, serving stored hosts");
      return "disk";
    },
    follow(targets) {
      link.subscribe(originsSubject, targets.origins);
      const news = { client: link.client, from: null, log, isFromNow: true, isHeadersOnly: true };
      followers = [
        followStream({
          ...news,
          subjects: certificateSubjects,
          onBegin: targets.everyCertificate,
          onMessage: ({ subject, seq }) => targets.certificate(certificates.noted(subject, seq)),
        }),
        followStream({
          ...news,
          subjects: ticketKeysSubject,
          onBegin: targets.ticketKeys,
          onMessage: targets.ticketKeys,
        }),
      ];
    },
    drain: async () => undefined,
    async close() {
      await Promise.all([state, ...followers].map((follower) => follower?.stop()));
      hosts.close();
      await link.close();
    },
  };
}

/** Whether another process of the machine gets hosts from the stream. */
async function awaitNews(hosts: StreamHosts): Promise<"source" | "disk"> {
  const before = hosts.asOf();
  const deadline = performance.now() + progressMs;
  while (hosts.asOf() === before && performance.now() < deadline) await delay(pollMs);
  return hosts.asOf() === before ? "disk" : "source";
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

function formatPosition(position: StreamPosition | null): string | null {
  return position && `${position.created} ${position.sequence}`;
}

/** Null also for the position of another kind of feed. */
function parsePosition(text: string | null): StreamPosition | null {
  const [created, sequence] = text?.split(" ") ?? [];
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
    // The request handler answers with what the same function of the other feed returns.
    report: async (reports) =>
      (await link.ask("report-origins", { reports })) as readonly ReportedOrigin[],
    async failing() {
      const rows = (await link.ask("failing-origins", {})) as readonly [string, string][];
      return new Map(rows.map(([id, at]) => [id, new Date(at)]));
    },
    recheck: async (connectionId) => void (await link.ask("recheck", { connectionId })),
  };
}

function createNatsTraffic(link: NatsLink): TrafficFeed {
  return { report: async (batch) => (await link.ask("report-traffic", { batch })) === true };
}

function createNatsPresence(link: NatsLink): PresenceFeed {
  return {
    tell: async (edge) => void (await link.ask("presence", { edge })),
    leave: async (id) => void (await link.ask("leave", { id })),
  };
}
