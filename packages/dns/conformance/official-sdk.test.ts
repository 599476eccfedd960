import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import {
  ChangeResourceRecordSetsCommand,
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
} from "@aws-sdk/client-route-53";
import { createAdvancedClient, withHTTPClient, withProfile } from "@scaleway/sdk-client";
import { Domainv2beta1 } from "@scaleway/sdk-domain";
import { DNSimple } from "dnsimple";
import { ApiClient } from "domrobot-client";
import { suiteZone } from "./bench.ts";
import { first, second, shown, tryOut } from "./sdk-bench.ts";
import { startDnsimple } from "./simulators/dnsimple.ts";
import { startInwx } from "./simulators/inwx.ts";
import { startRoute53 } from "./simulators/route53.ts";
import { startScaleway } from "./simulators/scaleway.ts";

/** What the AWS SDK hands to the part that sends. */
interface AwsRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

describe("official SDKs at the simulators", () => {
  it("dnsimple", () =>
    tryOut("dnsimple", startDnsimple, async (send, { credentials }, seen) => {
      const client = new DNSimple({
        accessToken: credentials["api_token"] ?? "",
        fetcher: async ({ method, url, headers, body }) => {
          const answer = await send(method, url, new Headers(headers), body ?? null);
          return { status: answer.status, body: await answer.text() };
        },
      });
      const account = (await client.identity.whoami()).data.account?.id ?? 0;
      const zones = (await client.zones.listZones(account)).data.map(({ name }) => name);
      assert.deepEqual(zones, [suiteZone]);
      const { zones: api } = client;
      const added = { name: "app", type: "A", content: first, ttl: 300 } as const;
      const { data } = await api.createZoneRecord(account, suiteZone, added);
      assert.deepEqual(await seen(), shown(first));
      const changed = { name: "app", content: second, ttl: 300 };
      await api.updateZoneRecord(account, suiteZone, data.id, changed);
      assert.deepEqual(await seen(), shown(second));
      const listed = (await api.listZoneRecords(account, suiteZone)).data;
      const id = listed.find(({ name }) => name === "app")?.id ?? 0;
      await api.deleteZoneRecord(account, suiteZone, id);
    }));

  it("inwx", () =>
    tryOut("inwx", startInwx, async (send, { credentials }, seen) => {
      const { username = "", password = "", totp_secret: secret = "" } = credentials;
      const own = globalThis.fetch;
      globalThis.fetch = (input, init) => {
        const url = String(input);
        if (!url.startsWith("https://api.domrobot.com")) return own(input, init);
        return send(init?.method ?? "", url, new Headers(init?.headers), String(init?.body));
      };
      try {
        const client = new ApiClient(ApiClient.API_URL_LIVE);
        assert.equal((await client.login(username, password, secret)).code, 1000);
        const call = async (method: string, params: Record<string, unknown>) => {
          const { code, resData } = await client.callApi(`nameserver.${method}`, params);
          assert.equal(code, 1000, method);
          return resData;
        };
        assert.equal((await call("list", { page: 1, pagelimit: 20 })).count, 1);
        const added = { domain: suiteZone, name: "app", type: "A", content: first, ttl: 300 };
        const { id } = await call("createRecord", added);
        assert.deepEqual(await seen(), shown(first));
        await call("updateRecord", { id, name: "app", type: "A", content: second, ttl: 300 });
        assert.deepEqual(await seen(), shown(second));
        const { record } = await call("info", { domain: suiteZone });
        await call("deleteRecord", { id: record[1].id });
      } finally {
        globalThis.fetch = own;
      }
    }));

  it("route53", () =>
    tryOut("route53", startRoute53, async (send, { credentials }, seen) => {
      const client = new Route53Client({
        region: "us-east-1",
        credentials: {
          accessKeyId: credentials["access_key_id"] ?? "",
          secretAccessKey: credentials["secret_access_key"] ?? "",
        },
        requestHandler: {
          async handle({ method, protocol, hostname, path, query, headers, body }: AwsRequest) {
            const search = new URLSearchParams(query).toString();
            const url = `${protocol}//${hostname}${path}${search === "" ? "" : `?${search}`}`;
            const answer = await send(method, url, new Headers(headers), body ?? null);
            const bytes = Buffer.from(await answer.arrayBuffer());
            const given = Object.fromEntries(answer.headers);
            const response = {
              statusCode: answer.status,
              headers: given,
              body: Readable.from([bytes]),
            };
            return { response };
          },
        },
      });
      const { HostedZones: zones = [] } = await client.send(new ListHostedZonesCommand({}));
      const HostedZoneId = zones[0]?.Id;
      const change = (Action: "CREATE" | "UPSERT" | "DELETE", Value: string) => {
        const ResourceRecordSet = {
          Name: `app.${suiteZone}.`,
          Type: "A" as const,
          TTL: 300,
          ResourceRecords: [{ Value }],
        };
        const ChangeBatch = { Changes: [{ Action, ResourceRecordSet }] };
        return client.send(new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch }));
      };
      await change("CREATE", first);
      assert.deepEqual(await seen(), shown(first));
      await change("UPSERT", second);
      assert.deepEqual(await seen(), shown(second));
      const { ResourceRecordSets: sets = [] } = await client.send(
        new ListResourceRecordSetsCommand({ HostedZoneId }),
      );
      assert.ok(sets.some(({ Name }) => Name === `app.${suiteZone}.`));
      await change("DELETE", second);
    }));

  it("scaleway", () =>
    tryOut("scaleway", startScaleway, async (send, { credentials }, seen) => {
      const client = createAdvancedClient(
        withProfile({
          accessKey: "SCW00000000000000000",
          secretKey: credentials["secret_key"] ?? "",
        }),
        withHTTPClient(async (input) => {
          const request = new Request(input);
          const body = await request.text();
          const { method, url, headers } = request;
          return send(method, url, headers, body === "" ? null : body);
        }),
      );
      const api = new Domainv2beta1.API(client);
      const dnsZone = suiteZone;
      const { dnsZones } = await api.listDNSZones({ domain: "" });
      assert.equal(dnsZones.length, 1);
      const record = (data: string) =>
        ({ id: "", name: "app", type: "A", data, ttl: 300, priority: 0 }) as const;
      const update = (change: object) =>
        api.updateDNSZoneRecords({
          dnsZone,
          changes: [change],
          disallowNewZoneCreation: true,
        });
      await update({ add: { records: [record(first)] } });
      assert.deepEqual(await seen(), shown(first));
      const idOf = async () => {
        const { records } = await api.listDNSZoneRecords({ dnsZone, name: "" });
        return records.find(({ name }) => name === "app")?.id ?? "";
      };
      await update({ set: { id: await idOf(), records: [record(second)] } });
      assert.deepEqual(await seen(), shown(second));
      await update({ delete: { id: await idOf() } });
    }));
});
