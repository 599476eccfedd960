import assert from "node:assert/strict";
import { it } from "node:test";
import { loadPackages } from "../../../../test/npm-packages/load-packages.ts";
import type { Credentials } from "../../src/providers/adapter/contract.ts";
import { suiteZone } from "../cases/case-context.ts";
import type { SentRequest } from "../independent/compare.ts";
import type { Backend } from "../simulator.ts";
import { startCloudflare } from "../simulators/cloudflare.ts";
import { startDigitalocean } from "../simulators/digitalocean.ts";
import { startHostinger } from "../simulators/hostinger.ts";
import { startLinode } from "../simulators/linode.ts";
import { startNetlify } from "../simulators/netlify.ts";
import { startNs1 } from "../simulators/ns1.ts";
import { startOvh } from "../simulators/ovh.ts";
import { startVercel } from "../simulators/vercel.ts";
import { startVultr } from "../simulators/vultr.ts";
import { line, type OpenSdk, tryOut } from "./sdk-exchange.ts";

const ttl = 3_600;

/** The tests of the drop-in APIs use these SDKs, too. */
const ofDropIns = new Set(["cloudflare", "vercel"]);

function trySdk(
  slug: string,
  start: () => Promise<Backend>,
  open: (load: NodeJS.Require, credentials: Credentials) => OpenSdk,
  inFormOfFacts: (sent: SentRequest) => SentRequest = (sent) => sent,
): void {
  it(`${slug}'s SDK`, async () => {
    const load = await loadPackages(ofDropIns.has(slug) ? "official-sdks" : "soak-sdks");
    await tryOut({ slug, start, open: (credentials) => open(load, credentials), inFormOfFacts });
  });
}

/** The record of the trial among others. */
function findApp<T extends { readonly name: string }>(records: readonly T[]): T {
  const found = records.find(({ name }) => name === "app" || name === `app.${suiteZone}`);
  assert.ok(found !== undefined);
  return found;
}

trySdk("cloudflare", startCloudflare, (load, { api_token: apiToken }) => {
  const { zones, dns } = new (load("cloudflare").Cloudflare)({ apiToken });
  const zoneList = async (): Promise<readonly { id: string; name: string }[]> =>
    (await zones.list({ name: suiteZone })).result;
  const records = async (): Promise<
    readonly Readonly<Record<"id" | "name" | "type" | "content", string>>[]
  > => (await dns.records.list({ zone_id: (await zoneList())[0]?.id })).result;
  const batch = async (changes: object) =>
    dns.records.batch({ zone_id: (await zoneList())[0]?.id, ...changes });
  const app = (content: string) => ({
    type: "A",
    name: `app.${suiteZone}`,
    content,
    ttl,
    proxied: false,
  });
  const id = async () => findApp(await records()).id;
  return {
    zones: async () => (await zoneList()).map(({ name }) => name),
    create: (value) => batch({ posts: [app(value)] }),
    change: async (value) => batch({ patches: [{ id: await id(), ...app(value) }] }),
    remove: async () => batch({ deletes: [{ id: await id() }] }),
    list: async () => (await records()).map(({ name, type, content }) => line(name, type, content)),
  };
});

trySdk("digitalocean", startDigitalocean, (load, { api_token: token }) => {
  const sdk = load("@digitalocean/dots");
  const { FetchRequestAdapter } = load("@microsoft/kiota-http-fetchlibrary");
  const signing = new sdk.DigitalOceanApiKeyAuthenticationProvider(token);
  const { domains } = sdk.createDigitalOceanClient(new FetchRequestAdapter(signing)).v2;
  const at = domains.byDomain_name(suiteZone).records;
  const records = async (): Promise<
    readonly (Readonly<Record<"name" | "type" | "data", string>> & { readonly id: number })[]
  > => (await at.get()).domainRecords;
  const app = (data: string) => ({ type: "A", name: "app", data, ttl });
  const one = async () => at.byDomain_record_id(findApp(await records()).id);
  return {
    zones: async () =>
      (await domains.get()).domains.map(({ name }: { readonly name: string }) => name),
    create: (value) => at.post(app(value)),
    change: async (value) => (await one()).put(app(value)),
    remove: async () => (await one()).delete(),
    list: async () => (await records()).map(({ name, type, data }) => line(name, type, data)),
  };
});

trySdk("hostinger", startHostinger, (load, { api_token: accessToken }) => {
  const sdk = load("hostinger-api-sdk");
  const configuration = new sdk.Configuration({ accessToken });
  const zones = new sdk.DNSZoneApi(configuration);
  const portfolio = new sdk.DomainsPortfolioApi(configuration);
  const put = (overwrite: boolean, content: string) =>
    zones.updateDNSRecordsV1(suiteZone, {
      overwrite,
      zone: [{ name: "app", type: "A", ttl, records: [{ content }] }],
    });
  interface Listed {
    readonly name: string;
    readonly type: string;
    readonly records: readonly { readonly content: string }[];
  }
  const sets = async (): Promise<readonly Listed[]> =>
    (await zones.getDNSRecordsV1(suiteZone)).data;
  return {
    zones: async () => {
      const { data } = await portfolio.getDomainListV1();
      const names = data.map(({ domain }: { readonly domain: string | null }) => domain);
      return names.filter((name: string | null) => name !== null);
    },
    create: (value) => put(false, value),
    change: (value) => put(true, value),
    remove: async () => {
      await zones.deleteDNSRecordsV1(suiteZone, { filters: [{ name: "app", type: "A" }] });
      // It is accepted before it is carried out.
      for (let reads = 0; (await sets()).some(({ name }) => name === "app"); reads += 1) {
        assert.ok(reads < 10);
      }
    },
    list: async () => {
      return (await sets()).flatMap(({ name, type, records }) =>
        records.map(({ content }) => line(name, type, content)),
      );
    },
  };
});

trySdk("linode", startLinode, (load, { api_token: token }) => {
  const sdk = load("@linode/api-v4");
  sdk.setToken(token);
  const domains = async (): Promise<readonly { id: number; domain: string }[]> =>
    (await sdk.getDomains()).data;
  const domainId = async () => (await domains())[0]?.id;
  const records = async (): Promise<
    readonly (Readonly<Record<"name" | "type" | "target", string>> & { readonly id: number })[]
  > => (await sdk.getDomainRecords(await domainId())).data;
  const app = (target: string) => ({ type: "A", name: "app", target, ttl_sec: ttl });
  const id = async () => findApp(await records()).id;
  return {
    zones: async () => (await domains()).map(({ domain }) => domain),
    create: async (value) => sdk.createDomainRecord(await domainId(), app(value)),
    change: async (value) => sdk.updateDomainRecord(await domainId(), await id(), app(value)),
    remove: async () => sdk.deleteDomainRecord(await domainId(), await id()),
    list: async () => (await records()).map(({ name, type, target }) => line(name, type, target)),
  };
});

trySdk("netlify", startNetlify, (load, { api_token: token }) => {
  const client = new (load("@netlify/api").NetlifyAPI)(token);
  const zones = async (): Promise<readonly { id: string; name: string }[]> => client.getDnsZones();
  const at = async () => ({ zone_id: (await zones())[0]?.id });
  const records = async (): Promise<
    readonly Readonly<Record<"id" | "hostname" | "type" | "value", string>>[]
  > => client.getDnsRecords(await at());
  const create = async (value: string) =>
    client.createDnsRecord({
      ...(await at()),
      body: { type: "A", hostname: `app.${suiteZone}`, value, ttl },
    });
  const remove = async () => {
    const named = (await records()).map(({ id, hostname: name }) => ({ id, name }));
    return client.deleteDnsRecord({ ...(await at()), dns_record_id: findApp(named).id });
  };
  return {
    zones: async () => (await zones()).map(({ name }) => name),
    create,
    // A record cannot be changed.
    change: async (value) => {
      await remove();
      return create(value);
    },
    remove,
    list: async () =>
      (await records()).map(({ hostname, type, value }) => line(hostname, type, value)),
  };
});

trySdk("ns1", startNs1, (load, { api_key: key }) => {
  const sdk = load("ns1");
  sdk.set_api_key(key);
  const path = `${suiteZone}/app.${suiteZone}/A`;
  interface Listed {
    readonly domain: string;
    readonly type: string;
    readonly short_answers: readonly string[];
  }
  return {
    zones: async () =>
      (await sdk.Zone.find()).map(
        ({ attributes }: { readonly attributes: { readonly zone: string } }) => attributes.zone,
      ),
    create: (value) =>
      sdk.Record.create({
        zone: suiteZone,
        domain: `app.${suiteZone}`,
        type: "A",
        ttl,
        answers: [{ answer: [value] }],
        filters: [],
      }),
    change: async (value) =>
      (await sdk.Record.find(path)).update({ ttl, answers: [{ answer: [value] }] }),
    remove: async () => (await sdk.Record.find(path)).destroy(),
    list: async () => {
      const records: readonly Listed[] = (await sdk.Zone.find(suiteZone)).attributes.records;
      return records.flatMap(({ domain, type, short_answers: answers }) =>
        answers.map((answer) => line(domain, type, answer)),
      );
    },
  };
});

trySdk("ovh", startOvh, (load, credentials) => {
  const client = load("@ovhcloud/node-ovh")({
    appKey: credentials["application_key"],
    appSecret: credentials["application_secret"],
    consumerKey: credentials["consumer_key"],
  });
  const at = `/domain/zone/${suiteZone}`;
  interface Listed extends Readonly<Record<"subDomain" | "fieldType" | "target", string>> {
    readonly id: number;
  }
  const call = (method: string, path: string, params = {}) =>
    client.requestPromised(method, path, params);
  const records = async (): Promise<readonly Listed[]> => {
    const ids: readonly number[] = await call("GET", `${at}/record`);
    return Promise.all(ids.map((id) => call("GET", `${at}/record/${id}`)));
  };
  const one = async () => {
    const named = (await records()).map(({ id, subDomain: name }) => ({ id, name }));
    return `${at}/record/${findApp(named).id}`;
  };
  const write = async (method: string, path: string, params = {}) => {
    await call(method, path, params);
    await call("POST", `${at}/refresh`);
  };
  const app = (target: string) => ({ subDomain: "app", target, ttl });
  return {
    zones: () => call("GET", "/domain/zone"),
    create: (value) => write("POST", `${at}/record`, { fieldType: "A", ...app(value) }),
    change: async (value) => write("PUT", await one(), app(value)),
    remove: async () => write("DELETE", await one()),
    list: async () =>
      (await records()).map(({ subDomain, fieldType, target }) =>
        line(subDomain, fieldType, target),
      ),
  };
});

trySdk("vercel", startVercel, (load, { api_token: bearerToken, team_id: teamId }) => {
  const { domains, dns } = new (load("@vercel/sdk").Vercel)({ bearerToken });
  const records = async (): Promise<
    readonly Readonly<Record<"id" | "name" | "type" | "value", string>>[]
  > => (await dns.getRecords({ domain: suiteZone, teamId })).records;
  const app = (value: string) => ({ name: "app", value, ttl });
  const id = async () => findApp(await records()).id;
  return {
    zones: async () =>
      (await domains.getDomains({ teamId })).domains.map(
        ({ name }: { readonly name: string }) => name,
      ),
    create: (value) =>
      dns.createRecord({ domain: suiteZone, teamId, requestBody: { type: "A", ...app(value) } }),
    change: async (value) =>
      dns.updateRecord({ recordId: await id(), teamId, requestBody: app(value) }),
    remove: async () => dns.removeRecord({ domain: suiteZone, recordId: await id(), teamId }),
    list: async () => (await records()).map(({ name, type, value }) => line(name, type, value)),
  };
});

trySdk(
  "vultr",
  startVultr,
  (load, { api_key: apiKey }) => {
    const { dns } = load("@vultr/vultr-node").initialize({ apiKey });
    const at = { "dns-domain": suiteZone };
    const records = async (): Promise<
      readonly Readonly<Record<"id" | "name" | "type" | "data", string>>[]
    > => (await dns.listRecords(at)).records;
    const one = async () => ({ ...at, "record-id": findApp(await records()).id });
    return {
      zones: async () =>
        (await dns.listDomains()).domains.map(({ domain }: { readonly domain: string }) => domain),
      create: (data) => dns.createRecord({ ...at, type: "A", name: "app", data, ttl }),
      // Its TTL would be a text; what is left out stays.
      change: async (data) => dns.updateRecord({ ...(await one()), name: "app", data }),
      remove: async () => dns.deleteRecord(await one()),
      list: async () => (await records()).map(({ name, type, data }) => line(name, type, data)),
    };
  },
  // It repeats what is in the path in the body of a POST.
  ({ body, ...sent }) => ({
    ...sent,
    body:
      body === null
        ? null
        : JSON.stringify(JSON.parse(body), (key, value) =>
            key === "dns-domain" ? undefined : value,
          ),
  }),
);
