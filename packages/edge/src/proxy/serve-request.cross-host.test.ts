import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type MixedAnswer,
  type MixedRequest,
  type MixedVisit,
  makeVisit,
} from "@mooring/testing/edge/mixed-visits";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";

const size = proofSize(2_000, 100_000);
const atOnce = 8;
const mostPerVisit = 24;
const seed = 20_260_501;

const names = ["a.example", "b.example", "shop.a.example", "www.b.example", "c.test.example"];

/** Numbers below a bound, the same on every run. */
function createDice(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    // Numerical Recipes' linear congruence; the high bits are the good ones.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("many hosts on one edge", () => {
  let edge: TestEdge;
  const origins: TestOrigin[] = [];
  before(async () => {
    edge = await startTestEdge();
    for (const name of names) {
      const origin = await startOrigin((request, response) => {
        const body = `${name} answers ${request.url}`;
        response.setHeader("content-length", body.length);
        response.end(body);
      });
      origins.push(origin);
      edge.hosts.set(name, { originUrl: origin.url, tenantId: `tenant of ${name}` });
    }
  });
  after(async () => {
    await edge.close();
    for (const origin of origins) await origin.close();
  });

  /** Wrong answers, if any: another's page, a page for another request, or a refusal unasked. */
  function wrongIn(visit: MixedVisit, answers: readonly MixedAnswer[]): string[] {
    return visit.requests.flatMap((request, index) => {
      const answer = answers[index];
      const isOwn = plain(request.host) === visit.sni;
      const isRight = isOwn
        ? answer?.status === 200 && answer.body === `${visit.sni} answers ${request.path}`
        : answer?.status === 421 && !answer.body.includes("answers");
      return isRight
        ? []
        : [`${visit.protocol} ${visit.sni}: ${JSON.stringify({ request, answer })}`];
    });
  }

  it(`gives no response of one host to clients of another in ${size} requests`, async (t) => {
    const script = createScript();
    const wrong: string[] = [];
    let lastSession: Buffer | null = null;
    const client = async (): Promise<void> => {
      while (script.sent() < size) {
        const visit = script.next(lastSession);
        const { answers, session } = await makeVisit(edge, visit);
        lastSession = session ?? lastSession;
        wrong.push(...wrongIn(visit, answers));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, client));
    t.diagnostic(`${script.sent()} requests, ${script.own()} for the host of their connection`);
    assert.deepEqual(wrong, []);
    recordPromise(
      "G11",
      `${script.sent()} requests over HTTP/1.1 and HTTP/2, pipelined and on resumed sessions`,
      "0 of another host",
    );
  });
});

interface Script {
  /** One more visit; its client may offer the session of another one. */
  next(session: Buffer | null): MixedVisit;
  sent(): number;
  own(): number;
}

/** Half of the requests name the host of their connection, the others any. */
function createScript(): Script {
  const dice = createDice(seed);
  let sent = 0;
  let own = 0;
  const nameOf = (): string => names[dice(names.length)] ?? "";
  const nextRequest = (sni: string): MixedRequest => {
    const name = dice(2) === 0 ? sni : nameOf();
    const spell = spellings[dice(spellings.length)] ?? String;
    if (name === sni) own += 1;
    sent += 1;
    return { host: spell(name), path: `/${sent}` };
  };
  return {
    sent: () => sent,
    own: () => own,
    next(session) {
      const sni = nameOf();
      const requests = Array.from({ length: 1 + dice(mostPerVisit) }, () => nextRequest(sni));
      const protocol = dice(2) === 0 ? "h2" : "http/1.1";
      return { sni, protocol, requests, session: dice(3) === 0 ? session : null };
    },
  };
}

/** Another spelling of the same name. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => `${name}.`,
  (name) => `${name}:443`,
];

function plain(host: string): string {
  return host.toLowerCase().replace(/:443$/, "").replace(/\.$/, "");
}
