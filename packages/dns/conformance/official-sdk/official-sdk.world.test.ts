import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { loadPackages } from "../../../../test/npm-packages/load-packages.ts";
import { suiteZone } from "../cases/case-context.ts";
import { startDnsimple } from "../simulators/dnsimple.ts";
import { startInwx } from "../simulators/inwx.ts";
import { startRoute53 } from "../simulators/route53.ts";
import { startScaleway } from "../simulators/scaleway.ts";
import { line, tryOut } from "./sdk-exchange.ts";

/** The parts of the answers that are read; without the packages there are no types of theirs. */
interface DnsimpleRecord {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

interface Route53Set {
  readonly Name: string;
  readonly Type: string;
  readonly ResourceRecords: readonly { readonly Value: string }[];
}

interface ScalewayRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
}

const nameOf = ({ name }: { readonly name: string }): string => name;

describe("official SDKs at the simulators", () => {
  let load: NodeJS.Require;
  before(async () => {
    load = await loadPackages("official-sdks");
  });

  it("dnsimple", () =>
    tryOut({
      slug: "dnsimple",
      start: startDnsimple,
      open({ api_token: accessToken = "" }) {
        const client = new (load("dnsimple").DNSimple)({ accessToken });
        const { zones } = client;
        const account = async () => (await client.identity.whoami()).data.account?.id ?? 0;
        const records = async (): Promise<readonly DnsimpleRecord[]> =>
          (await zones.listZoneRecords(await account(), suiteZone)).data;
        const findId = async () => (await records()).find(({ name }) => name === "app")?.id ?? 0;
        return {
          zones: async () => (await zones.listZones(await account())).data.map(nameOf),
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
        const { ApiClient } = load("domrobot-client");
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
        const sdk = load("@aws-sdk/client-route-53");
        const client = new sdk.Route53Client({
          region: "us-east-1",
          credentials: { accessKeyId, secretAccessKey },
        });
        const zones = async (): Promise<readonly { Id: string; Name: string }[]> =>
          (await client.send(new sdk.ListHostedZonesCommand({}))).HostedZones;
        const zoneId = async () => (await zones())[0]?.Id;
        const sets = async (): Promise<readonly Route53Set[]> => {
          const command = new sdk.ListResourceRecordSetsCommand({ HostedZoneId: await zoneId() });
          return (await client.send(command)).ResourceRecordSets;
        };
        const send = async (Action: "CREATE" | "UPSERT" | "DELETE", Value: string) => {
          const ResourceRecordSet = {
            Name: `app.${suiteZone}.`,
            Type: "A",
            TTL: 3_600,
            ResourceRecords: [{ Value }],
          };
          const ChangeBatch = { Changes: [{ Action, ResourceRecordSet }] };
          const HostedZoneId = await zoneId();
          return client.send(
            new sdk.ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch }),
          );
        };
        return {
          zones: async () => (await zones()).map(({ Name }) => Name.replace(/\.$/, "")),
          create: (value) => send("CREATE", value),
          change: (value) => send("UPSERT", value),
          remove: async () => {
            const found = (await sets()).find(({ Name }) => Name.startsWith("app."));
            return send("DELETE", found?.ResourceRecords[0]?.Value ?? "");
          },
          list: async () =>
            (await sets()).flatMap(({ Name, Type, ResourceRecords }) =>
              ResourceRecords.map(({ Value }) => line(Name, Type, Value)),
            ),
        };
      },
    }));

  it("scaleway", () =>
    tryOut({
      slug: "scaleway",
      start: startScaleway,
      open({ secret_key: secretKey = "" }) {
        const { createAdvancedClient, withHTTPClient, withProfile } = load("@scaleway/sdk-client");
        const client = createAdvancedClient(
          withProfile({ accessKey: "SCW00000000000000000", secretKey }),
          // It retains the one that was there when it was loaded.
          withHTTPClient((...sent: Parameters<typeof fetch>) => fetch(...sent)),
        );
        const api = new (load("@scaleway/sdk-domain").Domainv2beta1.API)(client);
        const dnsZone = suiteZone;
        const records = async (): Promise<readonly ScalewayRecord[]> =>
          (await api.listDNSZoneRecords({ dnsZone, name: "" })).records;
        const findId = async () => (await records()).find(({ name }) => name === "app")?.id ?? "";
        const base = { id: "", name: "app", type: "A", ttl: 3_600, priority: 0 };
        const app = (data: string) => ({ ...base, data });
        const update = (change: object) =>
          api.updateDNSZoneRecords({ dnsZone, changes: [change], disallowNewZoneCreation: true });
        return {
          zones: async () =>
            (await api.listDNSZones({ domain: "" })).dnsZones.map(
              (one: { readonly domain: string }) => one.domain,
            ),
          create: (value) => update({ add: { records: [app(value)] } }),
          change: async (value) => update({ set: { id: await findId(), records: [app(value)] } }),
          remove: async () => update({ delete: { id: await findId() } }),
          list: async () => (await records()).map(({ name, type, data }) => line(name, type, data)),
        };
      },
    }));
});
