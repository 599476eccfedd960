import { execFile } from "node:child_process";
import { connect, createServer, type Server, type Socket } from "node:net";
import { promisify } from "node:util";
import { type DnsServer, startBind, startKnot } from "@mooring/testing/dns/dns-servers";
import { freePort } from "@mooring/testing/processes/free-port";
import { parseData, presentData } from "../../src/presentation.ts";
import type { Dial } from "../../src/providers/adapter/contract.ts";
import { type DnsRecord, parseRecord } from "../../src/record.ts";
import { suiteZone } from "../cases/case-context.ts";
import type { Backend, Fault } from "../simulator.ts";

const run = promisify(execFile);

export interface DynamicServer {
  backend(): Promise<Backend>;
  /** Sends nsupdate commands for the suite's zone. */
  update(commands: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** A real primary that takes signed updates and transfers; the suite's zone is its only one. */
export async function startDynamicServer(program: "bind" | "knot"): Promise<DynamicServer> {
  const start = program === "bind" ? startBind : startKnot;
  const zones = { [suiteZone]: "@ NS ns1.example.net." };
  const server = await start({
    address: "127.0.0.1",
    port: await freePort(),
    zones,
    dynamic: true,
  });
  const faulty = await startFaultyServer();
  return {
    backend: async () => createBackend(server, faulty),
    update: (commands) => server.update(suiteZone, commands),
    stop: async () => {
      await Promise.all([server.stop(), faulty.stop()]);
    },
  };
}

function createBackend(server: DnsServer, faulty: FaultyServer): Backend {
  const { address, port, tsig } = server;
  const credentials = {
    server: `${address}:${port}`,
    key_name: tsig.name,
    key_algorithm: tsig.algorithm,
    key_secret: tsig.secret,
    zone: suiteZone,
  };
  let writes = 0;
  const dial: Dial = (host, to, signal) =>
    faulty.isActive()
      ? open("127.0.0.1", faulty.port, signal)
      : counted(open(host, to, signal), () => (writes += 1));
  return {
    credentials,
    wrongCredentials: { ...credentials, key_secret: Buffer.alloc(32, 7).toString("base64") },
    fetch: () => Promise.reject(new Error("nothing is sent by HTTP")),
    dial,
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    seed: async (zone, records) => {
      if (zone !== suiteZone) throw new Error(`the server has no zone ${zone}`);
      const old = await transfer(server);
      const isApexNs = ({ name, type }: DnsRecord) => name === suiteZone && type === "NS";
      await server.update(suiteZone, [
        // Random zones have addresses at names that are no hosts; servers take them.
        "check-names off",
        ...old
          .filter((record) => !isApexNs(record))
          .map(({ name, type }) => `update delete ${name}. ${type}`),
        ...records.map(
          (record) =>
            `update add ${record.name}. ${record.ttl} ${record.type} ${presentData(record)}`,
        ),
      ]);
    },
    records: () => transfer(server),
    writeCount: () => writes,
    fail: faulty.fail,
    untilHanging: faulty.untilHanging,
    close: async () => faulty.fail({ kind: "hang" }, 0),
  };
}

async function open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, signal });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  return socket;
}

/** Counts messages whose opcode is UPDATE (RFC 2136 §1.3). */
async function counted(opening: Promise<Socket>, count: () => void): Promise<Socket> {
  const socket = await opening;
  const write = socket.write.bind(socket);
  socket.write = (data: unknown) => {
    if (Buffer.isBuffer(data) && ((data.readUInt16BE(4) >> 11) & 0xf) === 5) count();
    return Buffer.isBuffer(data) ? write(data) : false;
  };
  return socket;
}

/** The zone by dig's account. */
async function transfer({ address, port, tsig }: DnsServer): Promise<readonly DnsRecord[]> {
  const key = `${tsig.algorithm}:${tsig.name}:${tsig.secret}`;
  const options = ["+noall", "+answer", "+onesoa", "+nocomments"];
  const { stdout } = await run("dig", [
    `@${address}`,
    "-p",
    String(port),
    "-y",
    key,
    "AXFR",
    suiteZone,
    ...options,
  ]);
  return stdout.split("\n").flatMap((line): readonly DnsRecord[] => {
    const [, name = "", ttl = "", type = "", data = ""] =
      /^(\S+)\s+(\d+)\s+IN\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    const content = parseData(type, data, null);
    const parsed =
      content === null ? null : parseRecord({ name, type, ttl: Number(ttl), ...content });
    return parsed?.ok === true ? [parsed.record] : [];
  });
}

interface FaultyServer {
  readonly port: number;
  readonly isActive: () => boolean;
  readonly fail: (fault: Fault, times: number) => void;
  readonly untilHanging: () => Promise<void>;
  stop(): Promise<void>;
}

/** Takes connections and treats them badly. */
async function startFaultyServer(): Promise<FaultyServer> {
  let [kind, times]: [Fault["kind"], number] = ["hang", 0];
  let announce: () => void = () => undefined;
  let hanging = Promise.resolve();
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
    times -= 1;
    if (kind === "error") socket.destroy();
    if (kind === "truncate") socket.end(Buffer.from([0x10, 0x00, 0x12]));
    socket.once("data", () => announce());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was bound");
  return {
    port: address.port,
    isActive: () => times > 0,
    fail: (fault, count) => {
      [kind, times] = [fault.kind, count];
      hanging = new Promise((resolve) => {
        announce = resolve;
      });
    },
    untilHanging: () => hanging,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
