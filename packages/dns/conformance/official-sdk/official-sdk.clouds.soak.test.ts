import assert from "node:assert/strict";
import { it } from "node:test";
import { loadPackages } from "../../../../test/npm-packages/load-packages.ts";
import type { Credentials } from "../../src/providers/adapter/contract.ts";
import { suiteZone } from "../cases/case-context.ts";
import type { SentRequest } from "../independent/compare.ts";
import { startAkamai } from "../simulators/akamai.ts";
import { startAlidns } from "../simulators/alidns.ts";
import { startAzureDns } from "../simulators/azure-dns.ts";
import { startGoogleCloudDns } from "../simulators/google-cloud-dns.ts";
import { startOracle } from "../simulators/oracle.ts";
import { startTencentcloud } from "../simulators/tencentcloud.ts";
import { line, type OpenSdk, tryOut } from "./sdk-exchange.ts";

const timeout = 600_000;
const app = { name: `app.${suiteZone}`, type: "A", ttl: 3_600 };

/** The part of each SDK that is used; the packages are too large to be dependencies. */
type EdgeGrid = new (
  clientToken: string | undefined,
  clientSecret: string | undefined,
  accessToken: string | undefined,
  host: string | undefined,
) => {
  auth(request: object): {
    send(done: (error: unknown, response: unknown, body: string) => void): void;
  };
};

it("akamai's SDK", { timeout }, () =>
  loadPackages("soak-sdks").then(async (load) => {
    const Sdk: EdgeGrid = load("akamai-edgegrid");
    const open = (given: Credentials): OpenSdk => {
      const { client_token, client_secret, access_token, host } = given;
      const client = new Sdk(client_token, client_secret, access_token, host);
      const call = (method: string, path: string, body?: object) =>
        new Promise<string>((resolve, reject) => {
          client
            .auth({ method, path: `/config-dns/v2/zones${path}`, body })
            .send((error, _response, text) => (error == null ? resolve(text) : reject(error)));
        });
      const set = `/${suiteZone}/names/${app.name}/types/A`;
      return {
        zones: async () =>
          JSON.parse(await call("GET", "?showAll=true")).zones.map(
            (one: { zone: string }) => one.zone,
          ),
        create: (value) => call("POST", set, { ...app, rdata: [value] }),
        change: (value) => call("PUT", set, { ...app, rdata: [value] }),
        remove: () => call("DELETE", set),
        list: async () => {
          const { recordsets } = JSON.parse(
            await call("GET", `/${suiteZone}/recordsets?showAll=true`),
          );
          return recordsets.map((one: { name: string; type: string; rdata: readonly [string] }) =>
            line(one.name, one.type, one.rdata[0]),
          );
        },
      };
    };
    await tryOut({ slug: "akamai", start: startAkamai, open });
  }),
);

type Answer<T> = Promise<{ readonly body: T }>;
interface AliSdk {
  readonly default: new (
    config: object,
  ) => {
    describeDomains(request: object): Answer<{
      readonly domains: { readonly domain: readonly { readonly domainName: string }[] };
    }>;
    describeDomainRecords(request: object): Answer<{
      readonly domainRecords: {
        readonly record: readonly {
          readonly recordId: string;
          readonly RR: string;
          readonly type: string;
          readonly value: string;
        }[];
      };
    }>;
    addDomainRecord(request: object): Promise<unknown>;
    updateDomainRecord(request: object): Promise<unknown>;
    deleteDomainRecord(request: object): Promise<unknown>;
  };
  readonly DescribeDomainsRequest: new (fields: object) => object;
  readonly DescribeDomainRecordsRequest: new (fields: object) => object;
  readonly AddDomainRecordRequest: new (fields: object) => object;
  readonly UpdateDomainRecordRequest: new (fields: object) => object;
  readonly DeleteDomainRecordRequest: new (fields: object) => object;
}

it("alidns's SDK", { timeout }, () =>
  loadPackages("soak-sdks").then(async (load) => {
    const sdk: AliSdk = load("@alicloud/alidns20150109");
    const open = ({ access_key_id, access_key_secret }: Credentials): OpenSdk => {
      const client = new sdk.default({
        accessKeyId: access_key_id,
        accessKeySecret: access_key_secret,
        endpoint: "alidns.aliyuncs.com",
      });
      const row = { RR: "app", type: "A", TTL: 3_600 };
      const paged = { pageNumber: 1, pageSize: 100 };
      const records = async () => {
        const request = new sdk.DescribeDomainRecordsRequest({ domainName: suiteZone, ...paged });
        return (await client.describeDomainRecords(request)).body.domainRecords.record;
      };
      const recordId = async () => (await records()).find(({ RR }) => RR === "app")?.recordId;
      return {
        zones: async () => {
          const { body } = await client.describeDomains(new sdk.DescribeDomainsRequest(paged));
          return body.domains.domain.map(({ domainName }) => domainName);
        },
        create: (value) =>
          client.addDomainRecord(
            new sdk.AddDomainRecordRequest({ domainName: suiteZone, ...row, value }),
          ),
        change: async (value) =>
          client.updateDomainRecord(
            new sdk.UpdateDomainRecordRequest({ recordId: await recordId(), ...row, value }),
          ),
        remove: async () =>
          client.deleteDomainRecord(
            new sdk.DeleteDomainRecordRequest({ recordId: await recordId() }),
          ),
        list: async () => (await records()).map(({ RR, type, value }) => line(RR, type, value)),
      };
    };
    await tryOut({
      slug: "alidns",
      start: startAlidns,
      open,
      // It puts the parameters into the address; the service takes them in a form, too.
      inFormOfFacts: ({ method, url, headers }) => {
        assert.ok(url.search !== "");
        const form = new Headers(headers);
        form.set("content-type", "application/x-www-form-urlencoded");
        return { method, url: new URL("/", url), headers: form, body: url.search.slice(1) };
      },
    });
  }),
);

interface AzureSet {
  readonly name: string;
  readonly type: string;
  readonly aRecords?: readonly { readonly ipv4Address: string }[];
  readonly txtRecords?: readonly { readonly value: readonly string[] }[];
  readonly cnameRecord?: { readonly cname: string };
}
interface AzureSdk {
  readonly DnsManagementClient: new (
    credential: object,
    subscription: string | undefined,
  ) => {
    readonly zones: { list(): AsyncIterable<{ readonly id: string; readonly name: string }> };
    readonly recordSets: {
      listByDnsZone(group: string, zone: string): AsyncIterable<AzureSet>;
      createOrUpdate(
        group: string,
        zone: string,
        name: string,
        type: string,
        set: object,
      ): Promise<unknown>;
      delete(group: string, zone: string, name: string, type: string): Promise<unknown>;
    };
  };
}
type AzureIdentity = Readonly<
  Record<
    "ClientSecretCredential",
    new (
      tenant: string | undefined,
      client: string | undefined,
      secret: string | undefined,
      options: object,
    ) => object
  >
>;

it("azure_dns's SDK", { timeout }, () =>
  loadPackages("soak-sdks").then(async (load) => {
    const sdk: AzureSdk = load("@azure/arm-dns");
    const identity: AzureIdentity = load("@azure/identity");
    const open = (given: Credentials): OpenSdk => {
      const { tenant_id, client_id, client_secret, subscription_id } = given;
      const credential = new identity.ClientSecretCredential(tenant_id, client_id, client_secret, {
        // The directory of all clouds is not part of what is tried.
        disableInstanceDiscovery: true,
      });
      const { zones, recordSets } = new sdk.DnsManagementClient(credential, subscription_id);
      const put = (value: string) =>
        recordSets.createOrUpdate("dns", suiteZone, "app", "A", {
          ttl: 3_600,
          aRecords: [{ ipv4Address: value }],
        });
      return {
        zones: async () => (await collect(zones.list())).map(({ name }) => name),
        create: put,
        change: put,
        remove: () => recordSets.delete("dns", suiteZone, "app", "A"),
        list: async () =>
          (await collect(recordSets.listByDnsZone("dns", suiteZone))).map((set) => {
            const text = set.txtRecords?.[0]?.value.join("");
            const value = set.aRecords?.[0]?.ipv4Address ?? set.cnameRecord?.cname ?? text ?? "";
            return line(set.name, set.type.split("/").at(-1) ?? "", value);
          }),
      };
    };
    await tryOut({
      slug: "azure_dns",
      start: startAzureDns,
      open,
      inFormOfFacts: withoutTelemetry,
    });
  }),
);

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** What the token request says about the caller's machine. */
function withoutTelemetry({ method, url, headers, body }: SentRequest): SentRequest {
  if (!url.pathname.endsWith("/token")) return { method, url, headers, body };
  const isTelemetry = (key: string) => /^(?:x-|claims$|client-request-id$)/.test(key);
  const form = [...new URLSearchParams(body ?? "")].filter(([key]) => !isTelemetry(key));
  return {
    method,
    url: new URL(url.pathname, url),
    headers,
    body: new URLSearchParams(form).toString(),
  };
}

interface GoogleRecord {
  readonly type: string;
  readonly metadata: { readonly name: string };
  readonly data: readonly string[];
}
interface GoogleZone {
  readonly metadata: { readonly dnsName: string };
  getRecords(): Promise<readonly [readonly GoogleRecord[]]>;
  record(type: string, fields: object): GoogleRecord;
  addRecords(record: GoogleRecord): Promise<unknown>;
  createChange(change: object): Promise<unknown>;
}
type GoogleSdk = Readonly<
  Record<"DNS", new (options: object) => { getZones(): Promise<readonly [readonly GoogleZone[]]> }>
>;

it("google_cloud_dns's SDK", { timeout }, () =>
  loadPackages("soak-sdks").then(async (load) => {
    const sdk: GoogleSdk = load("@google-cloud/dns");
    const open = ({ service_account_json = "" }: Credentials): OpenSdk => {
      const credentials = JSON.parse(service_account_json);
      const client = new sdk.DNS({ projectId: credentials.project_id, credentials });
      const zone = async () => {
        const [[only]] = await client.getZones();
        assert.ok(only !== undefined);
        return only;
      };
      const findRecord = (at: GoogleZone, data: string) =>
        at.record("a", { name: `${app.name}.`, data, ttl: 3_600 });
      const present = async (at: GoogleZone) =>
        (await at.getRecords())[0].find(({ metadata }) => metadata.name === `${app.name}.`);
      return {
        zones: async () =>
          (await client.getZones())[0].map(({ metadata }) => metadata.dnsName.replace(/\.$/, "")),
        create: async (value) => {
          const at = await zone();
          return at.addRecords(findRecord(at, value));
        },
        change: async (value) => {
          const at = await zone();
          return at.createChange({ delete: await present(at), add: findRecord(at, value) });
        },
        remove: async () => {
          const at = await zone();
          return at.createChange({ delete: await present(at) });
        },
        list: async () => {
          const [records] = await (await zone()).getRecords();
          return records.map(({ metadata, type, data }) =>
            line(metadata.name, type, data[0] ?? ""),
          );
        },
      };
    };
    await tryOut({ slug: "google_cloud_dns", start: startGoogleCloudDns, open });
  }),
);

interface OracleRecord {
  readonly domain: string;
  readonly rtype: string;
  readonly rdata: string;
  readonly recordHash: string;
}
interface OracleSdk {
  readonly DnsClient: new (
    options: object,
  ) => {
    listZones(request: object): Promise<{
      readonly items: readonly { readonly id: string; readonly name: string }[];
    }>;
    getZoneRecords(request: object): Promise<{
      readonly recordCollection: { readonly items: readonly OracleRecord[] };
    }>;
    patchZoneRecords(request: object): Promise<unknown>;
  };
}
interface OracleCommon {
  readonly Region: { fromRegionId(id: string | undefined): object };
  readonly SimpleAuthenticationDetailsProvider: new (...fields: readonly unknown[]) => object;
}

it("oracle's SDK", { timeout }, () =>
  loadPackages("soak-sdks").then(async (load) => {
    const sdk: OracleSdk = load("oci-dns");
    const common: OracleCommon = load("oci-common");
    const open = (given: Credentials): OpenSdk => {
      const authenticationDetailsProvider = new common.SimpleAuthenticationDetailsProvider(
        given["tenancy_ocid"],
        given["user_ocid"],
        given["fingerprint"],
        given["private_key"],
        null,
        common.Region.fromRegionId(given["region"]),
      );
      const client = new sdk.DnsClient({ authenticationDetailsProvider });
      const zones = async () => {
        const compartmentId = given["compartment_ocid"];
        return (await client.listZones({ compartmentId, scope: "GLOBAL" })).items;
      };
      const zoneNameOrId = async () => (await zones())[0]?.id;
      const records = async () =>
        (await client.getZoneRecords({ zoneNameOrId: await zoneNameOrId() })).recordCollection
          .items;
      const recordHash = async () =>
        (await records()).find(({ domain }) => domain === app.name)?.recordHash;
      const patch = async (items: readonly object[]) =>
        client.patchZoneRecords({
          zoneNameOrId: await zoneNameOrId(),
          patchZoneRecordsDetails: { items },
        });
      const added = (rdata: string) => ({
        operation: "ADD",
        domain: app.name,
        rtype: "A",
        ttl: 3_600,
        rdata,
      });
      const removed = async () => ({ operation: "REMOVE", recordHash: await recordHash() });
      return {
        zones: async () => (await zones()).map(({ name }) => name),
        create: (value) => patch([added(value)]),
        change: async (value) => patch([await removed(), added(value)]),
        remove: async () => patch([await removed()]),
        list: async () =>
          (await records()).map(({ domain, rtype, rdata }) => line(domain, rtype, rdata)),
      };
    };
    await tryOut({ slug: "oracle", start: startOracle, open });
  }),
);

type Row = Readonly<Record<"Name" | "Type" | "Value", string>> & { readonly RecordId: number };
type TencentClient = new (
  options: object,
) => {
  DescribeDomainList(request: object): Promise<{
    readonly DomainList: readonly { readonly Name: string }[];
  }>;
  DescribeRecordList(request: object): Promise<{ readonly RecordList: readonly Row[] }>;
  CreateRecord(request: object): Promise<unknown>;
  ModifyRecord(request: object): Promise<unknown>;
  DeleteRecord(request: object): Promise<unknown>;
};

it("tencentcloud's SDK", { timeout }, () =>
  loadPackages("soak-sdks").then(async (load) => {
    const Client: TencentClient = load("tencentcloud-sdk-nodejs-dnspod").dnspod.v20210323.Client;
    const open = ({ secret_id: secretId, secret_key: secretKey }: Credentials): OpenSdk => {
      const client = new Client({ credential: { secretId, secretKey } });
      const records = async () =>
        (await client.DescribeRecordList({ Domain: suiteZone, Offset: 0, Limit: 100 })).RecordList;
      const RecordId = async () => (await records()).find(({ Name }) => Name === "app")?.RecordId;
      const row = {
        Domain: suiteZone,
        SubDomain: "app",
        RecordType: "A",
        RecordLine: "默认",
        TTL: 3_600,
      };
      return {
        zones: async () => {
          const { DomainList } = await client.DescribeDomainList({ Offset: 0, Limit: 100 });
          return DomainList.map(({ Name }) => Name);
        },
        create: (Value) => client.CreateRecord({ ...row, Value }),
        change: async (Value) => client.ModifyRecord({ ...row, RecordId: await RecordId(), Value }),
        remove: async () => client.DeleteRecord({ Domain: suiteZone, RecordId: await RecordId() }),
        list: async () => (await records()).map(({ Name, Type, Value }) => line(Name, Type, Value)),
      };
    };
    await tryOut({ slug: "tencentcloud", start: startTencentcloud, open });
  }),
);
