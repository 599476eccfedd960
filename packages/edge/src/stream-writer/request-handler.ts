import type { Msg, NatsConnection } from "@nats-io/transport-node";
import type { Log } from "../config/settings.ts";
import type { OriginReport } from "../db/origin-health.ts";
import type { PresentEdge } from "../db/presence.ts";
import type { EdgeFeed } from "../feed/feed.ts";
import { nonceHeader, type Signatures } from "../feed/nats/signatures.ts";
import {
  type RequestVerb,
  requestQueue,
  requestSubject,
  requestVerbs,
} from "../feed/nats/subjects.ts";
import type { Host } from "../hosts/host.ts";

/** Answers what edges without the database ask, by the feed of this process, which has it. */
export function startRequestHandler(connection: NatsConnection, parts: HandlerParts): void {
  const answers = createAnswers(parts.feed);
  for (const verb of requestVerbs) {
    connection.subscribe(requestSubject(verb), {
      queue: requestQueue,
      callback: (_error, message) => void answer(message, answers[verb], parts),
    });
  }
}

interface HandlerParts {
  readonly feed: EdgeFeed;
  readonly signatures: Signatures;
  readonly log: Log;
}

type Answer = (question: Question) => Promise<unknown>;

/** What an edge sends; which fields there are depends on the verb. */
interface Question {
  readonly hostname: string;
  readonly epoch: number;
  readonly token: string;
  readonly connectionId: string;
  readonly reports: readonly OriginReport[];
  readonly edge: Omit<PresentEdge, "startedAt"> & { readonly startedAt: string };
  readonly id: string;
  readonly batch: string;
}

const orderTimeoutMs = 12_000;

function createAnswers(feed: EdgeFeed): Readonly<Record<RequestVerb, Answer>> {
  const { certificates, origins, presence, traffic } = feed;
  /** The claim as this process knows it: an edge may be behind. */
  const claimed = ({ hostname, epoch }: Question): Host | null => {
    const host = feed.hosts.get(hostname);
    return host?.epoch === epoch ? host : null;
  };
  return {
    async order(question) {
      const host = claimed(question);
      return host !== null && certificates.order(host, AbortSignal.timeout(orderTimeoutMs));
    },
    async "is-expected"(question) {
      const host = claimed(question);
      return host !== null && certificates.isExpected(host);
    },
    "http-challenge": ({ hostname, token }) => certificates.httpChallenge(hostname, token),
    "tls-challenge": ({ hostname }) => certificates.tlsChallenge(hostname),
    "report-origins": ({ reports }) => origins.report(reports),
    "failing-origins": async () => [...(await origins.failing())],
    recheck: ({ connectionId }) => origins.recheck(connectionId),
    presence: ({ edge }) => presence.tell({ ...edge, startedAt: new Date(edge.startedAt) }),
    leave: ({ id }) => presence.leave(id),
    "report-traffic": ({ batch }) => traffic.report(batch),
  };
}

async function answer(
  message: Msg,
  respond: Answer,
  { signatures, log }: HandlerParts,
): Promise<void> {
  const { subject, headers } = message;
  const send = (content: object): void => {
    const data = JSON.stringify(content);
    const nonce = headers?.get(nonceHeader) ?? "";
    message.respond(data, { headers: signatures.signReply({ subject, nonce, data }) });
  };
  try {
    // Only edges may publish here; what they send is not checked again.
    send({ value: (await respond(message.json<Question>())) ?? null });
  } catch (error) {
    log.warn({ err: error, subject }, "question of an edge not answered");
    send({ error: error instanceof Error ? error.message : "failed" });
  }
}
