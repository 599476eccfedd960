import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compare, type SentRequest } from "./compare.ts";
import { type Facts, readFacts } from "./facts.ts";

const form = "application/x-www-form-urlencoded";
const credentials = "ApiUser=u&ApiKey=k&UserName=u&ClientIp=192.0.2.1";

function findFacts(slug: string): Facts {
  const facts = readFacts().get(slug);
  assert.ok(facts !== undefined);
  return facts;
}

function post(url: string, type: string, body: string, headers = {}): SentRequest {
  const all = new Headers({ "content-type": type, ...headers });
  return { method: "POST", url: new URL(url), headers: all, body };
}

describe("compare", () => {
  const namecheap = (fields: string, type = form): readonly string[] => {
    const body = `${credentials}&${fields}`;
    const sent = post("https://api.namecheap.com/xml.response", type, body);
    return compare(sent, findFacts("namecheap")).differences.map((one) => one.split(": ")[1] ?? "");
  };
  const hosts = "Command=namecheap.domains.dns.setHosts&SLD=conformance&TLD=example";
  const row = "&HostName1=app&RecordType1=TXT&Address1=plain+text";

  it("reads the numbered fields of a form", () => {
    assert.deepEqual(namecheap(`${hosts}${row}`), []);
    assert.deepEqual(namecheap(`${hosts}${row}&HostName2=shop&RecordType2=A`), [
      "Address is missing",
    ]);
    const quoted = namecheap(`${hosts}&HostName1=app&RecordType1=TXT&Address1="quoted"`);
    assert.match(quoted.join(), /^Address is .* not /);
  });

  it("knows requests to one path by their command", () => {
    const unknown = namecheap("Command=namecheap.domains.create");
    assert.deepEqual(unknown, ["no client sends it to https://api.namecheap.com"]);
  });

  it("refuses another content type", () => {
    assert.deepEqual(namecheap(`${hosts}${row}`, "application/json"), ["the body is not form"]);
  });

  it("reads the elements of XML", () => {
    const facts = findFacts("route53");
    const url = "https://route53.amazonaws.com/2013-04-01/hostedzone/Z1/rrset/";
    const headers = {
      authorization: `AWS4-HMAC-SHA256 Credential=K/20261116/us-east-1/route53/aws4_request, SignedHeaders=host;x-amz-date, Signature=${"0".repeat(64)}`,
      "x-amz-date": "20261116T000000Z",
    };
    const xml = (value: string) =>
      `<ChangeResourceRecordSetsRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><ChangeBatch><Changes><Change><Action>UPSERT</Action><ResourceRecordSet><Name>app.conformance.example.</Name><Type>TXT</Type><TTL>60</TTL><ResourceRecords><ResourceRecord><Value>${value}</Value></ResourceRecord></ResourceRecords></ResourceRecordSet></Change></Changes></ChangeBatch></ChangeResourceRecordSetsRequest>`;
    const differences = (value: string, sent = headers) =>
      compare(post(url, "text/xml", xml(value), sent), facts).differences;
    assert.deepEqual(differences("&quot;text&quot;"), []);
    assert.match(differences("text").join(), /Value is \["text"\], not/);
    const unsigned = { ...headers, authorization: "AWS4-HMAC-SHA256 Credential=K" };
    assert.match(differences("&quot;text&quot;", unsigned).join(), /header authorization/);
  });
});
