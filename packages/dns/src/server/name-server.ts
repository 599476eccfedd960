import { createSocket, type RemoteInfo, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, isIPv6, type Server } from "node:net";
import { decodeRequest } from "../wire/request.ts";
import { encodeBareError, encodeResponse, encodeTruncated, rcodes } from "../wire/response.ts";
import { type AnswerRates, createAnswerRates } from "./answer-rates.ts";
import { createTcpService } from "./tcp-service.ts";
import type { Answerer } from "./validation-zone.ts";

export interface NameServerOptions {
  /** Addresses to listen on, each over UDP and TCP; `::` is every address, IPv4 and IPv6. */
  readonly hosts: readonly string[];
  readonly port: number;
  readonly answer: Answerer;
  /** Answers over UDP a second to one network; 0 for no limit. */
  readonly ratePerNetwork: number;
  readonly onError: (error: unknown) => void;
}

/** What a name server has done since it started. */
export interface NameServerStats {
  readonly answers: Readonly<Record<"udp" | "tcp", number>>;
  /** Packets without an answer: no query, or over the rate of their network. */
  readonly dropped: number;
  readonly malformed: number;
}

export interface RunningNameServer {
  readonly port: number;
  readonly stats: NameServerStats;
  close(): Promise<void>;
}

interface Counters {
  readonly answers: { udp: number; tcp: number };
  dropped: number;
  malformed: number;
}

/**
 * Serves DNS over UDP and TCP. Processes of one user can share the port; the system spreads the
 * questions.
 */
export async function startNameServer(options: NameServerOptions): Promise<RunningNameServer> {
  const stats: Counters = { answers: { udp: 0, tcp: 0 }, dropped: 0, malformed: 0 };
  const rates = createAnswerRates(options.ratePerNetwork, () => performance.now());
  const opened: { close(): Promise<void> }[] = [];
  let { port } = options;
  try {
    for (const host of options.hosts) {
      const tcp = await listenTcp(host, port, options, stats);
      opened.push(tcp);
      port = tcp.port;
      opened.push(await listenUdp(host, port, options, { stats, rates }));
    }
  } catch (error) {
    await Promise.all(opened.map((one) => one.close()));
    throw error;
  }
  return {
    port,
    stats,
    async close() {
      await Promise.all(opened.map((one) => one.close()));
    },
  };
}

/** The response to a packet; null for one that gets none. */
function respond(
  packet: Buffer,
  { answer }: NameServerOptions,
  stats: Counters,
  transport: "udp" | "tcp",
  isLimited = false,
): Buffer | null {
  const decoded = decodeRequest(packet);
  switch (decoded.kind) {
    case "ignored":
      return null;
    case "unsupported":
      return isLimited ? null : encodeBareError(packet, rcodes.notImplemented);
    case "malformed":
      stats.malformed += 1;
      return isLimited ? null : encodeBareError(packet, rcodes.formatError);
    case "query":
      if (isLimited) return encodeTruncated(packet, decoded.request);
      return encodeResponse(packet, decoded.request, answer(decoded.request), transport);
  }
}

/** Answers of a flood that the system has not sent yet; beyond this they are dropped. */
const maxUnsentBytes = 4_194_304;

async function listenUdp(
  host: string,
  port: number,
  options: NameServerOptions,
  { stats, rates }: { readonly stats: Counters; readonly rates: AnswerRates },
): Promise<{ close(): Promise<void> }> {
  const socket: UdpSocket = createSocket({
    type: isIPv6(host) ? "udp6" : "udp4",
    reusePort: process.platform === "linux",
    recvBufferSize: 1_048_576,
  });
  const onSent = (error: Error | null): void => {
    if (error) stats.dropped += 1;
  };
  socket.on("message", (packet: Buffer, from: RemoteInfo) => {
    const admitted = rates.admit(from.address);
    const isCongested = socket.getSendQueueSize() > maxUnsentBytes;
    const response =
      admitted === "drop" || isCongested
        ? null
        : respond(packet, options, stats, "udp", admitted === "truncate");
    // A datagram from port 0 cannot be answered.
    if (response === null || from.port === 0) {
      stats.dropped += 1;
      return;
    }
    stats.answers.udp += 1;
    socket.send(response, from.port, from.address, onSent);
  });
  socket.bind({ address: host, port });
  await once(socket, "listening");
  socket.on("error", options.onError);
  return {
    async close() {
      socket.close();
      await once(socket, "close");
    },
  };
}

async function listenTcp(
  host: string,
  port: number,
  options: NameServerOptions,
  stats: Counters,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const service = createTcpService((packet) => {
    const response = respond(packet, options, stats, "tcp");
    if (response === null) stats.dropped += 1;
    else stats.answers.tcp += 1;
    return response;
  });
  const server: Server = createServer(service.accept);
  server.listen({ host, port, reusePort: process.platform === "linux" });
  await once(server, "listening");
  server.on("error", options.onError);
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      service.closeAll();
      await once(server, "close");
    },
  };
}
