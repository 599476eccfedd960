import { once } from "node:events";
import { connect as connectH2 } from "node:http2";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { connectTo } from "./client.ts";
import type { TestEdge } from "./test-edge.ts";

/** One request of a visit: the host that it names, and a path that no other request has. */
export interface MixedRequest {
  readonly host: string;
  readonly path: string;
}

export interface MixedAnswer {
  readonly status: number;
  readonly body: string;
}

export interface MixedVisit {
  readonly sni: string;
  readonly protocol: "http/1.1" | "h2";
  readonly requests: readonly MixedRequest[];
  /** The TLS session of another visit, maybe to another host, that the client offers. */
  readonly session: Buffer | null;
}

/** One connection with all requests of the visit in flight at once; answers in their order. */
export async function makeVisit(
  edge: TestEdge,
  visit: MixedVisit,
): Promise<{ readonly answers: readonly MixedAnswer[]; readonly session: Buffer | null }> {
  const socket = await connectTo(edge, visit.sni, {
    ALPNProtocols: [visit.protocol],
    ...(visit.session ? { session: visit.session } : {}),
  });
  const session = socket.getSession() ?? null;
  const answers =
    visit.protocol === "h2" ? await overH2(socket, visit) : await pipelined(socket, visit.requests);
  socket.destroy();
  return { answers, session };
}

function pipelined(
  socket: TLSSocket,
  requests: readonly MixedRequest[],
): Promise<readonly MixedAnswer[]> {
  return new Promise((resolve, reject) => {
    let text = "";
    const answers: MixedAnswer[] = [];
    socket.on("close", () => reject(new Error(`closed after ${answers.length} answers: ${text}`)));
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      for (let taken = takeAnswer(text); taken !== null; taken = takeAnswer(text)) {
        answers.push(taken.answer);
        text = taken.rest;
      }
      if (answers.length >= requests.length) resolve(answers);
    });
    socket.write(
      requests.map(({ host, path }) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`).join(""),
    );
  });
}

function takeAnswer(text: string): { readonly answer: MixedAnswer; readonly rest: string } | null {
  const head = /^HTTP\/1\.1 (\d{3})[\s\S]*?\r\n\r\n/.exec(text);
  if (head === null) return null;
  const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head[0])?.[1] ?? Number.NaN);
  const end = head[0].length + length;
  if (!(text.length >= end)) return null;
  const body = text.slice(head[0].length, end);
  return { answer: { status: Number(head[1]), body }, rest: text.slice(end) };
}

async function overH2(
  socket: TLSSocket,
  { sni, requests }: MixedVisit,
): Promise<readonly MixedAnswer[]> {
  const session = connectH2(`https://${sni}`, { createConnection: () => socket });
  session.on("error", () => undefined);
  const answers = await Promise.all(
    requests.map(async ({ host, path }) => {
      const stream = session.request({ ":path": path, ":authority": host });
      // From the beginning: Node calls the end of a stream that had closed before premature.
      const [[response], body] = await Promise.all([once(stream, "response"), text(stream)]);
      return { status: Number(response[":status"]), body };
    }),
  );
  session.destroy();
  return answers;
}
