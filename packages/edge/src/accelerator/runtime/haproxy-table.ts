import { slotName } from "../configuration/slots.ts";
import type { AcceleratorPaths } from "../paths.ts";
import { type SlotSettings, slotValue } from "../slot-value.ts";
import { cutServer, listServers, type NamedServer } from "./named-servers.ts";
import type { RuntimeApi } from "./runtime-api.ts";

/** A name as HAProxy serves it. */
export interface TableEntry {
  readonly hostname: string;
  readonly claim: string;
  readonly slot: number;
  /** Differ from every earlier one, also of an earlier process. */
  readonly server: string;
  readonly certificate: string;
}

export interface NewEntry extends TableEntry {
  /** The chain with its key. */
  readonly pem: string;
  readonly assertion: string;
  readonly origin: EntryOrigin;
  readonly settings: SlotSettings;
}

export interface EntryOrigin {
  readonly address: string;
  readonly port: number;
  /** Null for plain HTTP. */
  readonly tls: {
    readonly serverName: string;
    readonly verifyName: string;
    /** PEM instead of the usual CAs. */
    readonly ca: string | null;
  } | null;
  readonly connections: number;
}

/** Whether the name still has this claim. */
type IsCurrent = (hostname: string, claim: string) => boolean;

/** What HAProxy has in memory, by its runtime API. Nothing of it is on disk. */
export interface HaproxyTable {
  /**
   * HAProxy serves fast until then, in milliseconds since 1970. `fresh` when it is another process,
   * which knows nothing; `taken` when it belongs to somebody else, for whom nothing changes.
   */
  lease(until: number): Promise<"renewed" | "fresh" | "taken">;
  /** Takes away all that another process has put; the claims of the connections that stay open. */
  clear(isCurrent: IsCurrent): Promise<readonly string[]>;
  /** Ends the answers in flight of what was cleared, where their claims have ended meanwhile. */
  cutCleared(isCurrent: IsCurrent): Promise<void>;
  /** Rejects when HAProxy refuses a part; the caller releases the entry then. */
  put(entry: NewEntry): Promise<void>;
  putCertificate(entry: Pick<TableEntry, "hostname" | "certificate">, pem: string): Promise<void>;
  dropCertificate(certificate: string): Promise<void>;
  /** Those of all names, in place of all before. */
  setAssertions(tokens: readonly (readonly [hostname: string, token: string])[]): Promise<void>;
  /** From now on every request goes to the Node edge; open connections continue. */
  withdraw(hostname: string): Promise<void>;
  /** Ends all that is left of a name, its answers in flight included. */
  release(entry: TableEntry): Promise<void>;
  /** The same for a name that was withdrawn; answers in flight end first. False while there are. */
  retire(entry: TableEntry): Promise<boolean>;
  dropClaim(hostname: string): Promise<void>;
}

const leaseKey = "lease";

/** Commands that go with the next one: each connection to HAProxy costs more than most commands. */
interface Prepared {
  readonly commands: readonly string[];
  /** What HAProxy answers to them, as a pattern. */
  readonly answers: string;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory
export function createHaproxyTable(
  api: RuntimeApi,
  paths: AcceleratorPaths,
  owner: string,
): HaproxyTable {
  const file = (certificate: string): string => `${paths.directory}/${certificate}.pem`;
  const at = ({ slot, server }: TableEntry): string => `${slotName(slot)}/${server}`;
  let cleared: NamedServer[] = [];

  async function demand(expected: RegExp, command: string, payload?: string): Promise<void> {
    const answer = await api.run(command, payload);
    if (!expected.test(answer)) {
      throw new Error(`HAProxy refused ${command.split(" ").slice(0, 3).join(" ")}: ${answer}`);
    }
  }

  async function putCertificate(
    { hostname, certificate }: Pick<TableEntry, "hostname" | "certificate">,
    pem: string,
    before: Prepared = { commands: [], answers: "" },
  ): Promise<void> {
    const name = file(certificate);
    const commands = [...before.commands, `new ssl cert ${name}`, `set ssl cert ${name}`];
    const created = new RegExp(`^${before.answers}New empty .*\\s+Transaction created .*$`);
    await demand(created, commands.join(";"), withoutEmptyLines(pem));
    // Under this name alone, whatever others the certificate has.
    const added = `commit ssl cert ${name};add ssl crt-list ${paths.certificates}`;
    await demand(/^Committing .*Success!\s+Inserting .*Success!$/s, added, `${name} ${hostname}`);
  }

  async function dropCertificate(certificate: string): Promise<void> {
    await api.run(`del ssl crt-list ${paths.certificates} ${file(certificate)}`);
    await api.run(`del ssl cert ${file(certificate)}`);
  }

  async function prepareServer(entry: NewEntry): Promise<Prepared> {
    const { address, port, tls, connections } = entry.origin;
    const host = address.includes(":") ? `[${address}]` : address;
    // What others have by default: HAProxy 2.6 has 0 for a server that is added, and would connect
    // for each request.
    let options = `maxconn ${connections} pool-max-conn ${connections} pool-purge-delay 5s`;
    if (tls !== null) {
      const { serverName, verifyName, ca } = tls;
      const trusted = ca === null ? paths.trusted : `${paths.directory}/${entry.server}.ca.pem`;
      if (ca !== null) await putTrust(trusted, ca);
      options += ` ssl verify required ca-file ${trusted} sni str(${serverName}) verifyhost ${verifyName}`;
    }
    const added = `add server ${at(entry)} ${host}:${port} ${options}`;
    const commands = [added, `enable server ${at(entry)}`];
    return { commands, answers: "New server registered\\.\\s+" };
  }

  async function putTrust(name: string, pem: string): Promise<void> {
    await demand(/^New CA file/, `new ssl ca-file ${name}`);
    await demand(/^[Tt]ransaction created/, `set ssl ca-file ${name}`, withoutEmptyLines(pem));
    await demand(/Success!/, `commit ssl ca-file ${name}`);
  }

  async function dropServer(entry: TableEntry): Promise<boolean> {
    await api.run(`set server ${at(entry)} state maint`);
    const answer = await api.run(`del server ${at(entry)}`);
    if (!/^Server deleted|No such server/i.test(answer)) return false;
    await api.run(`del ssl ca-file ${paths.directory}/${entry.server}.ca.pem`);
    return true;
  }

  async function dropEveryCertificate(): Promise<void> {
    for (const line of await linesOf(api, `show ssl crt-list ${paths.certificates}`)) {
      const name = /^(\S+)\.pem /.exec(line)?.[1]?.slice(paths.directory.length + 1);
      if (name !== undefined) await dropCertificate(name);
    }
  }

  /** One with answers in flight stays, and gets no further request. */
  async function dropEveryServer(): Promise<void> {
    cleared = [];
    for (const server of await listServers(api)) {
      const entry = { slot: server.slot, server: server.name };
      const isGone = await dropServer({ ...entry, hostname: "", claim: "", certificate: "" });
      if (!isGone) cleared.push(server);
    }
  }

  async function dropNames(): Promise<void> {
    await api.runAll([paths.names, paths.slots, paths.assertions].map((map) => `clear map ${map}`));
    await dropEveryCertificate();
    await dropEveryServer();
  }

  async function own(until: number): Promise<void> {
    for (const key of [leaseKey, owner])
      await demand(/^$/, `add map ${paths.lease} ${key} ${until}`);
  }

  const withdraw = (hostname: string): Promise<void> =>
    api.runAll(
      [paths.names, paths.slots, paths.assertions].map((map) => `del map ${map} ${hostname}`),
    );

  const dropClaim = async (hostname: string): Promise<void> => {
    await api.run(`del map ${paths.claims} ${hostname}`);
  };

  return {
    async lease(until) {
      const owned = await api.run(`set map ${paths.lease} ${owner} ${until}`);
      if (owned === "") {
        await demand(/^$/, `set map ${paths.lease} ${leaseKey} ${until}`);
        return "renewed";
      }
      if ((await linesOf(api, `show map ${paths.lease}`)).length > 0) return "taken";
      // A name that was about to be promoted in the process before may have got here in part.
      await dropNames();
      await api.run(`clear map ${paths.claims}`);
      await own(until);
      return "fresh";
    },
    async clear(isCurrent) {
      await api.run(`clear map ${paths.lease}`);
      await own(0);
      await dropNames();
      const left: string[] = [];
      for (const line of await linesOf(api, `show map ${paths.claims}`)) {
        const [, hostname = "", claim = ""] = line.split(" ");
        if (isCurrent(hostname, claim)) left.push(hostname);
        else await dropClaim(hostname);
      }
      return left;
    },
    async cutCleared(isCurrent) {
      for (const server of [...cleared]) {
        const { slot, name, hostname, claim } = server;
        if (isCurrent(hostname, claim)) continue;
        await cutServer(api, slot, name);
        cleared = cleared.filter((one) => one !== server);
      }
    },
    async put(entry) {
      const { hostname, claim, slot, assertion } = entry;
      await putCertificate(entry, entry.pem, await prepareServer(entry));
      const added: readonly (readonly [string, string])[] = [
        [paths.claims, claim],
        [paths.assertions, assertion],
        [paths.slots, slotValue(slotName(slot), entry.settings)],
        // Last: from now on visitors are led there.
        [paths.names, "1"],
      ];
      const commands = [
        `del map ${paths.claims} ${hostname}`,
        ...added.map(([map, value]) => `add map ${map} ${hostname} ${value}`),
      ];
      await demand(/^(Key not found\.)?$/, commands.join(";"));
    },
    putCertificate,
    dropCertificate,
    async setAssertions(tokens) {
      const prepared = await api.run(`prepare map ${paths.assertions}`);
      const version = /^New version created: (\d+)$/.exec(prepared)?.[1];
      if (version === undefined) throw new Error(`HAProxy refused prepare map: ${prepared}`);
      const lines = tokens.map(([name, token]) => `${name} ${token}`);
      for (const payload of joinLines(lines)) {
        await demand(/^$/, `add map @${version} ${paths.assertions}`, payload);
      }
      // What a process before this one has prepared goes with the versions before.
      await demand(/^$/, `commit map @${version} ${paths.assertions}`);
    },
    withdraw,
    async release(entry) {
      await withdraw(entry.hostname);
      await dropClaim(entry.hostname);
      await dropCertificate(entry.certificate);
      await cutServer(api, entry.slot, entry.server);
      await dropServer(entry);
    },
    async retire(entry) {
      await dropCertificate(entry.certificate);
      return dropServer(entry);
    },
    dropClaim,
  };
}

async function linesOf(api: RuntimeApi, command: string): Promise<readonly string[]> {
  const text = await api.run(command);
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

/** A payload has to fit into one buffer of HAProxy. */
const maxPayloadBytes = 24_000;

function joinLines(lines: readonly string[]): readonly string[] {
  const payloads: string[] = [];
  for (const line of lines) {
    const last = payloads.at(-1);
    if (last === undefined || last.length + line.length >= maxPayloadBytes) payloads.push(line);
    else payloads[payloads.length - 1] = `${last}\n${line}`;
  }
  return payloads;
}

/** An empty line would end the payload. */
function withoutEmptyLines(pem: string): string {
  return pem.replace(/\r/g, "").replace(/\n{2,}/g, "\n");
}
