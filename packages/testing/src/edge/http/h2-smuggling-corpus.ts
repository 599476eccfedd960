import type { RawField } from "./raw-h2.ts";

/**
 * A request in HTTP/2 frames, and what of it may reach an origin that speaks HTTP/1.1. Some are
 * malformed in a way that the HTTP/2 layer repairs by dropping the field: then it is either.
 */
export interface H2SmugglingCase {
  readonly name: string;
  readonly fields: readonly RawField[];
  readonly body: readonly string[];
  readonly reaches: "none" | "one" | "either";
}

const hostname = "shop.example";
const hidden = `GET /smuggled HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;

/** `@` becomes the number of the case, so that the origin can distinguish them. */
const casePath = "/case-@";

function pseudo(changes: Readonly<Record<string, string | null>> = {}): RawField[] {
  const all = { ":method": "POST", ":scheme": "https", ":authority": hostname, ":path": casePath };
  return Object.entries({ ...all, ...changes }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
}

function fieldCases(): H2SmugglingCase[] {
  const refused: readonly RawField[] = [
    ["transfer-encoding", "chunked"],
    ["transfer-encoding", "identity"],
    ["Transfer-Encoding", "chunked"],
    ["transfer_encoding", "chunked"],
    ["connection", "keep-alive"],
    ["connection", "transfer-encoding"],
    ["keep-alive", "1"],
    ["proxy-connection", "keep-alive"],
    ["upgrade", "h2c"],
    ["te", "gzip"],
    ["X-Upper", "b"],
    ["content.length", "5"],
    ["host", "evil.example"],
    ["content-length", "3"],
    ["content-length", "+5"],
    ["content-length", "5, 5"],
    ["content-length", "5\r\nx: y"],
    ["content-length", "0x5"],
    ["content-length", ""],
    [":path", "/second"],
    [":authority", "evil.example"],
    [":status", "200"],
    [":unknown", "x"],
  ];
  const leftOut: readonly RawField[] = [
    ["x_forwarded_for", "1.2.3.4"],
    ["x-svc_assertion", "forged"],
    ["remote.user", "root"],
    ["__proto__", "x"],
    ["transfer-encoding ", "chunked"],
    ["x-a", "b\r\nTransfer-Encoding: chunked"],
    ["x-a", `b\r\n\r\n${hidden}`],
    ["x-a", "b\nHost: evil.example"],
    ["x-a", "b\rc"],
    ["x-a", "b\0c"],
    ["x-a", "b\x01"],
    ["x-a\r\ntransfer-encoding", "chunked"],
    ["x-a: b\r\nx-c", "d"],
    ["x a", "b"],
    ["x-a:", "b"],
    ["x\0a", "b"],
    ["", "b"],
    ["host", `${hostname}@evil.example`],
  ];
  const toCase =
    (reaches: "none" | "either") =>
    (field: RawField): H2SmugglingCase => ({
      name: `field ${JSON.stringify(field)}`,
      fields: [...pseudo(), field],
      body: ["hello"],
      reaches,
    });
  return [...refused.map(toCase("none")), ...leftOut.map(toCase("either"))];
}

function pseudoCases(): H2SmugglingCase[] {
  const changes: readonly Readonly<Record<string, string | null>>[] = [
    { ":method": "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\nGET" },
    { ":method": "PO ST" },
    { ":method": "" },
    { ":method": null },
    { ":method": "CONNECT" },
    { ":method": "TRACE" },
    { ":method": "PRI" },
    { ":method": "PRI\0" },
    { ":path": `${casePath} HTTP/1.1\r\nX: y` },
    { ":path": `${casePath}\r\n` },
    { ":path": `${casePath} x` },
    { ":path": `${casePath}#x` },
    { ":path": `${casePath}\0` },
    { ":path": `https://evil.example${casePath}` },
    { ":path": "case-@" },
    { ":path": "*" },
    { ":path": "" },
    { ":path": null },
    { ":authority": "evil.example" },
    { ":authority": `${hostname}@evil.example` },
    { ":authority": `x@${hostname}` },
    { ":authority": `${hostname}\r\nX: y` },
    { ":authority": `${hostname} evil.example` },
    { ":authority": `${hostname}/x` },
    { ":authority": `${hostname}:x` },
    { ":authority": "" },
    { ":authority": null },
  ];
  return changes.map((change) => ({
    name: `pseudo field ${JSON.stringify(change)}`,
    fields: pseudo(change),
    body: ["hello"],
    reaches: "none",
  }));
}

function otherCases(): H2SmugglingCase[] {
  const none: readonly (readonly [string, RawField[], string[]])[] = [
    ["a field before the pseudo fields", [["x-a", "b"], ...pseudo()], []],
    ["two lengths", [...pseudo(), ["content-length", "5"], ["content-length", "5"]], ["hello"]],
    ["a length longer than the body", [...pseudo(), ["content-length", "9"]], ["hello"]],
    ["a length without a body", [...pseudo(), ["content-length", "5"]], []],
    ["two hosts", [...pseudo(), ["host", hostname], ["host", hostname]], []],
  ];
  const one: readonly (readonly [string, RawField[], string[]])[] = [
    ["a request as the body", pseudo(), [hidden]],
    ["chunks as the body", pseudo(), [`0\r\n\r\n${hidden}`]],
    ["many data frames", pseudo(), ["0\r\n", "\r\n", hidden]],
    ["its length", [...pseudo(), ["content-length", "5"]], ["hello"]],
    ["the host twice, the same", [...pseudo(), ["host", hostname]], []],
    ["only the host", [...pseudo({ ":authority": null }), ["host", hostname]], []],
    ["trailers accepted", [...pseudo(), ["te", "trailers"]], []],
    ["an encoded line end in the path", pseudo({ ":path": `${casePath}%0d%0aX:%20y` }), []],
  ];
  // The origin may have the whole request before the client sends more than announced.
  const longer: H2SmugglingCase = {
    name: "a length shorter than the body",
    fields: [...pseudo(), ["content-length", "2"]],
    body: ["he", hidden],
    reaches: "either",
  };
  return [
    longer,
    ...none.map(([name, fields, body]) => ({ name, fields, body, reaches: "none" as const })),
    ...one.map(([name, fields, body]) => ({ name, fields, body, reaches: "one" as const })),
  ];
}

export function h2SmugglingCorpus(): H2SmugglingCase[] {
  return [...fieldCases(), ...pseudoCases(), ...otherCases()].map((one, index) => ({
    ...one,
    fields: one.fields.map(([name, value]) => [name, value.replace("case-@", `case-${index}`)]),
  }));
}
