import assert from "node:assert/strict";
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
import { suiteZone } from "../cases/case-context.ts";
import { startDnsimple } from "../simulators/dnsimple.ts";
import { startInwx } from "../simulators/inwx.ts";
import { startRoute53 } from "../simulators/route53.ts";
import { startScaleway } from "../simulators/scaleway.ts";
import { line, tryOut } from "./sdk-exchange.ts";

describe("official SDKs at the simulators", () => {
  it("dnsimple", () =>
    tryOut({
      slug: "dnsimple",
      start: startDnsimple,
      open({ api_token: accessToken = "" }) {
        const client = new DNSimple({ accessToken });
        const { zones } = client;
        const account = async () => (await client.identity.whoami()).data.account?.id ?? 0;
        const records = async () => (await zones.listZoneRecords(await account(), suiteZone)).data;
        const findId = async () => (await records()).find(({ name }) => name === "app")?.id ?? 0;
        return {
          zones: async () => (await zones.listZones(await account())).data.map(({ name }) => name),
          create: async (content) =>
            zones.createZoneRecord(await account(), suiteZone, {
              name: "app",
              type: "A",
              content,
              ttl: 3_600,
            }),
          change: async (content) =>
            zones.updateZoneRecord(await account(), suiteZone, await findId(), {
              name: "app",
              content,
              ttl: 3_600,
            }),
          remove: async () => zones.deleteZoneRecord(await account(), suiteZone, await findId()),
          list: async () =>
            (await records()).map(({ name, type, content }) => line(name, type, content)),
        };
      },
    }));

  it("inwx", () =>
    tryOut({
      slug: "inwx",
      start: startInwx,
      open({ username = "", password = "", totp_secret: secret = "" }) {
        const client = new ApiClient(ApiClient.API_URL_LIVE);
        const call = async (method: string, params: Record<string, unknown>) => {
          const { code, resData } = await client.callApi(`nameserver.${method}`, params);
          assert.equal(code, 1000, method);
          return resData;
        };
        const records = async (): Promise<
          readonly Readonly<Record<"id" | "name" | "type" | "content", string>>[]
        > => (await call("info", { domain: suiteZone })).record;
        const app = { name: "app", type: "A", ttl: 3_600 };
        const findId = async () =>
          (await records()).find(({ name }) => name.startsWith("app"))?.id ?? "";
        return {
          zones: async () => {
            assert.equal((await client.login(username, password, secret)).code, 1000);
            const { domains } = await call("list", { page: 1, pagelimit: 20 });
            return domains.map(({ domain }: { readonly domain: string }) => domain);
          },
          create: (content) => call("createRecord", { domain: suiteZone, ...app, content }),
          change: async (content) => call("updateRecord", { id: await findId(), ...app, content }),
          remove: async () => call("deleteRecord", { id: await findId() }),
          list: async () =>
            (await records()).map(({ name, type, content }) => line(name, type, content)),
        };
      },
    }));

  it("route53", () =>
    tryOut({
      slug: "route53",
      start: startRoute53,
      open({ access_key_id: accessKeyId = "", secret_access_key: secretAccessKey = "" }) {
        const client = new Route53Client({
          region: "us-east-1",
          credentials: { accessKeyId, secretAccessKey },
        });
        const zones = async () =>
          (await client.send(new ListHostedZonesCommand({}))).HostedZones ?? [];
        const zoneId = async () => (await zones())[0]?.Id;
        const sets = async () => {
          const command = new ListResourceRecordSetsCommand({ HostedZoneId: await zoneId() });
          return (await client.send(command)).ResourceRecordSets ?? [];
        };
        const send = async (Action: "CREATE" | "UPSERT" | "DELETE", Value: string) => {
          const ResourceRecordSet = {
            Name: `app.${suiteZone}.`,
            Type: "A" as const,
            TTL: 3_600,
            ResourceRecords: [{ Value }],
          };
          const ChangeBatch = { Changes: [{ Action, ResourceRecordSet }] };
          const HostedZoneId = await zoneId();
          return client.send(new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch }));
        };
        return {
          zones: async () => (await zones()).map(({ Name = "" }) => Name.replace(/\.$/, "")),
          create: (value) => send("CREATE", value),
          change: (value) => send("UPSERT", value),
          remove: async () => {
            const found = (await sets()).find(({ Name = "" }) => Name.startsWith("app."));
            return send("DELETE", found?.ResourceRecords?.[0]?.Value ?? "");
          },
          list: async () =>
            (await sets()).flatMap(({ Name = "", Type = "", ResourceRecords = [] }) =>
              ResourceRecords.map(({ Value = "" }) => line(Name, Type, Value)),
            ),
        };
      },
    }));

  it("scaleway", () =>
    tryOut({
      slug: "scaleway",
      start: startScaleway,
      open({ secret_key: secretKey = "" }) {
        const client = createAdvancedClient(
          withProfile({ accessKey: "SCW00000000000000000", secretKey }),
          // It retains the one that was there when it was loaded.
          withHTTPClient((input, init) => fetch(input, init)),
        );
        const api = new Domainv2beta1.API(client);
        const dnsZone = suiteZone;
        const records = async () => (await api.listDNSZoneRecords({ dnsZone, name: "" })).records;
        const findId = async () => (await records()).find(({ name }) => name === "app")?.id ?? "";
        const app = (data: string) =>
          ({ id: "", name: "app", type: "A", data, ttl: 3_600, priority: 0 }) as const;
        const update = (change: object) =>
          api.updateDNSZoneRecords({ dnsZone, changes: [change], disallowNewZoneCreation: true });
        return {
          zones: async () =>
            (await api.listDNSZones({ domain: "" })).dnsZones.map(({ domain }) => domain),
          create: (value) => update({ add: { records: [app(value)] } }),
          change: async (value) => update({ set: { id: await findId(), records: [app(value)] } }),
          remove: async () => update({ delete: { id: await findId() } }),
          list: async () => (await records()).map(({ name, type, data }) => line(name, type, data)),
        };
      },
    }));
});
