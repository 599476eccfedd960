import { ApiError, type ConnectionDetail, type DnsRecord, type Mooring } from "@mooring/sdk";

/** Name servers that belong to no known provider: the customer adds records by hand. */
const unknownServers = ["ns1.pretend-dns.test", "ns2.pretend-dns.test"];

export interface ZoneView {
  readonly zone: string;
  readonly records: readonly DnsRecord[];
  readonly wanted: readonly WantedRecord[];
}

interface WantedRecord {
  readonly hostname: string;
  readonly state: string;
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly isPresent: boolean;
}

/** The demo's DNS panel: sandbox zones as a customer would see them at a provider. */
export function createSandboxDns(client: Mooring, applicationId: string) {
  const read = async (zone: string) => {
    try {
      return await client.sandbox.get(zone);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  };

  const connectionsIn = async (zone: string): Promise<readonly ConnectionDetail[]> => {
    const { data } = await client.connections.list({ limit: 100 }).page();
    const mine = data.filter(
      ({ hostname, state, application_id }) =>
        application_id === applicationId &&
        state !== "archived" &&
        (hostname === zone || hostname.endsWith(`.${zone}`)),
    );
    return Promise.all(mine.map(({ id }) => client.connections.get(id)));
  };

  /** CAA records that a diagnosis asks for, beside those that are there. */
  const caaFor = async ({ id, error_code: code }: ConnectionDetail): Promise<PlainRecord[]> => {
    if (code !== "caa_forbidden") return [];
    const { findings } = await client.call("get_connections_id_diagnosis", { params: { id } });
    return findings
      .filter((finding) => finding.code === "caa_forbidden")
      .flatMap(({ add_records }) => add_records.map(plain));
  };

  return {
    /** Gives the zone the name servers of an unknown provider. */
    async makeManual(zone: string): Promise<void> {
      await client.sandbox.replace(zone, { records: [], nameservers: unknownServers });
    },

    async view(zone: string): Promise<ZoneView> {
      const [stored, connections] = await Promise.all([read(zone), connectionsIn(zone)]);
      const records = stored?.records ?? [];
      const wanted = await Promise.all(
        connections.map(async (one) =>
          [...allRecords(one), ...(await caaFor(one))].map((record) => ({
            hostname: one.hostname,
            state: one.state,
            ...record,
            isPresent: records.some((present) => isSame(present, record)),
          })),
        ),
      );
      return { zone, records, wanted: wanted.flat() };
    },

    /** Adds the records of the zone's connections and removes all others at those names. */
    async publish(zone: string): Promise<void> {
      const stored = await read(zone);
      const connections = await connectionsIn(zone);
      const desired = connections.flatMap(allRecords);
      const names = new Set(desired.map(({ host }) => host));
      const others = (stored?.records ?? []).filter(({ host }) => !names.has(host)).map(plain);
      const caa = (await Promise.all(connections.map(caaFor))).flat();
      const missing = caa.filter((record) => !others.some((one) => isSame(one, record)));
      await client.sandbox.replace(zone, {
        records: [...others, ...desired, ...missing],
        ...(stored ? { nameservers: stored.nameservers } : {}),
      });
    },

    /** Points the names of the connections to another address. */
    async pointElsewhere(zone: string): Promise<void> {
      const stored = await read(zone);
      if (stored === null) return;
      const names = new Set((await connectionsIn(zone)).map(({ hostname }) => hostname));
      const others = stored.records.filter(({ host }) => !names.has(host));
      const elsewhere = [...names].map(
        (host) => ({ host, type: "A", value: "203.0.113.9" }) as const,
      );
      await client.sandbox.replace(zone, {
        records: [...others.map(plain), ...elsewhere],
        nameservers: stored.nameservers,
      });
    },
  };
}

export type SandboxDns = ReturnType<typeof createSandboxDns>;

type PlainRecord = Pick<DnsRecord, "host" | "type" | "value">;

function allRecords(connection: ConnectionDetail): PlainRecord[] {
  return connection.needed_records.filter(({ optional }) => !optional).map(plain);
}

function plain({ host, type, value }: DnsRecord): PlainRecord {
  return { host, type, value };
}

function isSame(one: PlainRecord, other: PlainRecord): boolean {
  return one.host === other.host && one.type === other.type && one.value === other.value;
}
