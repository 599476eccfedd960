import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { canonicalRequest, sha256, signAws } from "./sigv4.ts";

const keys = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "example-secret-key",
  sessionToken: null,
};
const scope = { region: "us-east-1", service: "route53" };
const at = new Date("2026-01-02T03:04:05Z");
const body =
  '<?xml version="1.0" encoding="UTF-8"?><ChangeResourceRecordSetsRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><ChangeBatch><Changes><Change><Action>UPSERT</Action><ResourceRecordSet><Name>www.example.com.</Name><Type>A</Type><TTL>300</TTL><ResourceRecords><ResourceRecord><Value>192.0.2.1</Value></ResourceRecord></ResourceRecords></ResourceRecordSet></Change></Changes></ChangeBatch></ChangeResourceRecordSetsRequest>';

const vectors = [
  {
    request: {
      method: "GET",
      url: "https://route53.amazonaws.com/2013-04-01/hostedzonesbyname?dnsname=example.com&maxitems=1",
      body: "",
    },
    canonical: "d038fb2157e270a1ef5c252d1ab9ab204d89c2428a30516198bd51dbd04d0c5b",
    signature: "ef035a56dd3754296132b232f5c1efb4cc335d6c181fe5a2db0ac0040c0237ec",
  },
  {
    request: {
      method: "POST",
      url: "https://route53.amazonaws.com/2013-04-01/hostedzone/Z0000000000EXAMPLE/rrset/",
      body,
    },
    canonical: "cffc55cc204e418571211254d065c9cbe34471a653dc4871eafe1f0cd5dace4d",
    signature: "5edf2986bae152b7325a0e74d486ff2fbeda319cad0a54832dafc3a4c6c61614",
  },
];

describe("signAws", () => {
  for (const { request, canonical, signature } of vectors) {
    it(`signs a ${request.method} as the reference does`, () => {
      const signed = [
        ["host", "route53.amazonaws.com"],
        ["x-amz-date", "20260102T030405Z"],
      ] as const;
      assert.equal(sha256(canonicalRequest(request, signed)), canonical);
      const headers = signAws(request, keys, scope, at);
      assert.equal(headers["x-amz-date"], "20260102T030405Z");
      assert.equal(
        headers["authorization"],
        `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260102/us-east-1/route53/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
      );
    });
  }

  it("signs the token of temporary credentials and sends it", () => {
    const [first] = vectors;
    assert.ok(first !== undefined);
    const headers = signAws(first.request, { ...keys, sessionToken: "token" }, scope, at);
    assert.equal(headers["x-amz-security-token"], "token");
    assert.match(
      headers["authorization"] ?? "",
      /SignedHeaders=host;x-amz-date;x-amz-security-token/,
    );
  });

  it("orders the query and encodes what RFC 3986 does not leave alone", () => {
    const url = "https://route53.amazonaws.com/?b=2&a=*%20(x)&a=1";
    const [, , query] = canonicalRequest({ method: "GET", url, body: "" }, []).split("\n");
    assert.equal(query, "a=%2A%20%28x%29&a=1&b=2");
  });
});
