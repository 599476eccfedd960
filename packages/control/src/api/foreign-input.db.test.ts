import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, codeOf } from "@mooring/testing/control/http";
import {
  type SampledRoute,
  sampledRoutes,
  sampleRequest,
} from "@mooring/testing/control/routes/route-samples";
import { makeSides, type Sides, withoutLimits } from "@mooring/testing/control/world";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { z } from "zod";

/**
 * As bytes of the request line, in Latin-1; a browser or a client library would not send most of
 * them.
 */
const inUrl = [
  "%00",
  "a%00b",
  "%ED%A0%80",
  "%ED%BF%BF",
  "%FF%FE",
  "%C0%80",
  "%F5%80%80%80",
  "%E2%28%A1",
  "%F0%9F%98",
  "%E2%80%AE",
  "%",
  "%zz",
  "\xff\xfe",
  "\xc3\x28",
  "%5Cu0000",
  "a".repeat(301),
  "%C3%A9".repeat(1_500),
] as const;

const inHeader = [
  "\xff\xfe",
  "\xc0\x80",
  "%00",
  "a".repeat(7_000),
  "\t",
  "\x7f",
  "\x01",
  "\x00",
] as const;

const headers = [
  "Authorization",
  "Origin",
  "Idempotency-Key",
  "Content-Type",
  "Content-Length",
  "Accept-Encoding",
  "If-None-Match",
  "X-Forwarded-For",
  "X-Request-Id",
  "Stripe-Signature",
] as const;

/** The connection was closed without one, which is no outage either. */
const noAnswer = 0;

interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** A status of 500 or more that is right for this request. */
  readonly expected?: number | undefined;
}

/** Paths outside of the route list, with the position marked. */
const otherTargets = [
  "/?",
  "/?q=?",
  "/docs/?",
  "/sdk/v1/?",
  "/share/?",
  "/share/?/zone.txt",
  "/billing?plan=?",
  "/sandbox/?",
  "/.well-known/?",
  "/internal/ask?domain=?",
  "/internal/ask?hostname=?",
  "/internal/route?domain=?",
  "/v1/connect/domain-connect/return?state=?",
  "/v1/connect/domain-connect/return?state=x&error=access_denied&error_description=?",
  "/v1/?",
  "/?/v1",
] as const;

/** Everyday runs send one of so many requests, another one to each route. */
const oneOf = proofSize(3, 1);

function spread(byRoute: readonly (readonly RawRequest[])[]): RawRequest[] {
  return byRoute.flatMap((requests, route) =>
    requests.filter((_, index) => (index + route) % oneOf === 0),
  );
}

describe("input that is no text", () => {
  let app: TestApp;
  let sides: Sides;
  before(async () => {
    app = await startTestApp(withoutLimits);
    sides = await makeSides(app, "own");
  });
  after(() => app.close());

  /** One request on a connection of its own, byte by byte as given; the status of the answer. */
  function status({ method, target, headers: fields, body }: RawRequest): Promise<number> {
    const { hostname, port } = new URL(app.api.url);
    const lines = Object.entries({ Host: hostname, Connection: "close", ...fields });
    const length =
      body === undefined || "Content-Length" in fields
        ? []
        : [["Content-Length", Buffer.byteLength(body)]];
    const head = [
      `${method} ${target} HTTP/1.1`,
      ...[...lines, ...length].map((line) => line.join(": ")),
    ];
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      let answer = "";
      const settle = () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? noAnswer));
      socket.setTimeout(20_000, () => socket.destroy());
      socket.on("data", (chunk) => {
        answer += chunk.toString("latin1");
      });
      // Node resets a connection whose head it cannot read while the body is still under way.
      socket.on("error", settle);
      socket.on("close", settle);
      const bytes = Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1");
      socket.write(Buffer.concat([bytes, Buffer.from(body ?? "")]));
    });
  }

  const authorized = () => ({ Authorization: `Bearer ${sides.test.key}` });

  /** The request of a sample, before anything is spoilt. */
  function rightRequest(one: SampledRoute): RawRequest {
    const { url, method, body } = sampleRequest(one.route, one.sample.request(sides.test));
    return {
      method,
      target: url,
      headers: {
        ...authorized(),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      expected: one.sample.status,
    };
  }

  function pathRequests(one: SampledRoute): RawRequest[] {
    const request = one.sample.request(sides.test);
    return Object.keys(request.params ?? {}).flatMap((name) =>
      inUrl.map((text) => {
        const marked = { ...request, params: { ...request.params, [name]: "MARK" } };
        const target = sampleRequest(one.route, marked).url.replace("MARK", text);
        return { ...rightRequest(one), target };
      }),
    );
  }

  function queryRequests(one: SampledRoute): RawRequest[] {
    const { query } = one.route;
    const known = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
    const [path] = rightRequest(one).target.split("?");
    const right = rightRequest(one);
    const values = [...known, "unknown"].flatMap((name) =>
      inUrl.map((text) => ({ ...right, target: `${path}?${name}=${text}` })),
    );
    const names = inUrl.map((text) => ({ ...right, target: `${path}?${text}=a&limit=${text}` }));
    return [...values, ...names];
  }

  function headerRequests(one: SampledRoute): RawRequest[] {
    const right = rightRequest(one);
    return headers.flatMap((name) =>
      inHeader.map((text) => ({ ...right, headers: { ...right.headers, [name]: text } })),
    );
  }

  async function isRight(request: RawRequest): Promise<boolean> {
    const answered = await status(request);
    return answered < 500 || answered === request.expected;
  }

  /** A busy API sheds load with 503: what fails among others is sent once more, alone. */
  async function refuseOutages(requests: readonly RawRequest[]): Promise<void> {
    const queue = [...requests];
    const suspect: RawRequest[] = [];
    const worker = async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        if (!(await isRight(next))) suspect.push(next);
      }
    };
    await Promise.all(Array.from({ length: 4 }, worker));
    const failures: string[] = [];
    for (const request of suspect) {
      if (!(await isRight(request))) failures.push(JSON.stringify(request).slice(0, 300));
    }
    assert.deepEqual(failures, []);
    assert.equal((await call(app.api.url, "/healthz")).status, 200);
  }

  /** A good call with this method uses its object up. */
  const isKind = ({ route }: SampledRoute) => route.method !== "DELETE";

  it("in the path is never answered as an outage, on any route", async (t) => {
    const requests = sampledRoutes().flatMap(pathRequests);
    const others = otherTargets.flatMap((target) =>
      inUrl.map((text) => {
        const at = target.lastIndexOf("?");
        const spoilt = target.slice(0, at) + text + target.slice(at + 1);
        return { method: "GET", target: spoilt, headers: {} };
      }),
    );
    await refuseOutages([...requests, ...others]);
    t.diagnostic(`${requests.length + others.length} requests`);
  });

  it("in the query is never answered as an outage, on any route", async (t) => {
    const requests = spread(sampledRoutes().filter(isKind).map(queryRequests));
    await refuseOutages(requests);
    t.diagnostic(`${requests.length} requests`);
  });

  it("in a header is never answered as an outage, on any route", async (t) => {
    // A stream that is opened does not end.
    const ending = sampledRoutes().filter(({ name }) => !name.endsWith(":stream"));
    const requests = spread(ending.filter(isKind).map(headerRequests));
    await refuseOutages(requests);
    t.diagnostic(`${requests.length} requests`);
  });

  it("is refused with its place, and costs no database connection", async () => {
    const { key } = sides.test;
    for (const [path, at] of [
      ["/v1/connections?hostname=%00", "hostname"],
      ["/v1/connections?hostname=a%00b", "hostname"],
    ] as const) {
      const answer = await call(app.api.url, path, { key });
      assert.deepEqual([answer.status, codeOf(answer)], [400, "invalid"], answer.text);
      assert.match(answer.text, new RegExp(`"path":"${at}"`));
    }
    const wanted = await call(app.api.url, "/v1/connections?hostname=%E2%82%AC.example", { key });
    assert.equal(wanted.status, 200, "any other text is a filter that matches nothing");
  });
});
