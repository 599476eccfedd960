import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { BlockList, createServer, isIP, isIPv6 } from "node:net";
import { endianness } from "node:os";

/** A listener that a process is going to open, and the variable that moves it. */
export interface RequestedPort {
  readonly variable: string;
  readonly host: string;
  readonly port: number;
  /** Whether it is listened on over UDP too. */
  readonly isDatagram?: boolean;
}

/** A port that cannot be listened on, and what to do about it. */
export class PortError extends Error {
  override readonly name = "PortError";
  readonly variable: string;
  readonly fix: string;
  /** The process that listens there, when that is the problem and the system shows it. */
  readonly holder: PortHolder | null;
  constructor(
    requested: RequestedPort,
    problem: string,
    fix: string,
    holder: PortHolder | null = null,
  ) {
    super(problem);
    this.variable = requested.variable;
    this.fix = fix;
    this.holder = holder;
  }
}

/** Null when the port can be listened on now. */
export async function portProblem(requested: RequestedPort): Promise<PortError | null> {
  const code = await tryListen(requested);
  return code === null ? null : describe(requested, code);
}

/** Throws a `PortError` for the first port that cannot be listened on. */
export async function requireFreePorts(requested: readonly RequestedPort[]): Promise<void> {
  for (const port of requested) {
    const problem = await portProblem(port);
    if (problem) throw problem;
  }
}

async function describe(requested: RequestedPort, code: string): Promise<PortError> {
  const { variable, host, port } = requested;
  const another = `${variable}=${port < 65_535 ? port + 1 : port - 1}`;
  if (code === "EADDRINUSE") {
    const holder = await findPortHolder(requested);
    const who = holder ? `process ${holder.pid} (${shorten(holder.command)})` : "another process";
    const beside = everyAddress.includes(host) ? (holder?.address ?? null) : null;
    const at = beside === null ? "" : ` at ${beside}`;
    const ways =
      beside === null
        ? "stop it,"
        : `stop it, set ${hostVariable(variable)} to the address to listen on,`;
    const fix = `${ways} or choose another port with ${another}`;
    return new PortError(requested, `port ${port} is taken by ${who}${at}`, fix, holder);
  }
  if (code === "EACCES") {
    const fix = `choose one above 1023 with ${variable}, or allow this user to open it`;
    return new PortError(requested, `this user may not listen on port ${port}`, fix);
  }
  return new PortError(
    requested,
    `${host} is not an address of this machine`,
    `set ${hostVariable(variable)} to one that is (127.0.0.1, 0.0.0.0, ::)`,
  );
}

/** The variable that says on which address the port of another variable is opened. */
function hostVariable(variable: string): string {
  return `${/^(EDGE|VALIDATION)_/.exec(variable)?.[0] ?? ""}HOST`;
}

/** Shows the end of a command line, which says what runs; the beginning is a path. */
function shorten(command: string): string {
  return command.length > 80 ? `…${command.slice(-79)}` : command;
}

/**
 * The address to listen on for a configured one: `::` means every address, and on a machine without
 * IPv6 that is `0.0.0.0`.
 */
export async function listenAddress(host: string, listen = tryListen): Promise<string> {
  if (host !== "::") return host;
  const code = await listen({ variable: "HOST", host, port: 0 });
  return code === "EAFNOSUPPORT" || code === "EADDRNOTAVAIL" ? "0.0.0.0" : host;
}

const expected = [
  "EADDRINUSE",
  "EACCES",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  // A name as the host that is unknown or cannot be asked for; a link-local address without a zone.
  "ENOTFOUND",
  "EAI_AGAIN",
  "EINVAL",
];

async function tryListen({ host, port, isDatagram }: RequestedPort): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
    server.close();
    await once(server, "close");
    if (isDatagram === true) await tryBind(host, port);
    return null;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (expected.includes(code)) return code;
    throw error;
  }
}

async function tryBind(host: string, port: number): Promise<void> {
  const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
  socket.bind({ address: host, port, exclusive: true });
  await once(socket, "listening");
  socket.close();
  await once(socket, "close");
}

/** A process that listens on a port. */
export interface PortHolder {
  readonly pid: number;
  /** Its command line. */
  readonly command: string;
  /** Where it listens; null for every address. */
  readonly address: string | null;
}

/** Addresses that mean every one of the machine. */
const everyAddress: readonly string[] = ["0.0.0.0", "::"];

/** States of a socket that listens: of TCP, and of UDP, which has no connections. */
const listening: Readonly<Record<string, string>> = { tcp: "0A", udp: "07" };

interface ListeningSocket {
  readonly inode: string;
  readonly address: string;
}

/**
 * Finds the process that listens where the requested port is to be; null where that cannot be known
 * (systems other than Linux, or another user's process).
 */
async function findPortHolder({ host, port }: RequestedPort): Promise<PortHolder | null> {
  const at = isIP(host) === 0 ? (await lookup(host)).address : host;
  const sockets = [
    ...(await listeningSockets("tcp", "/proc/net/tcp", port)),
    ...(await listeningSockets("tcp", "/proc/net/tcp6", port)),
    ...(await listeningSockets("udp", "/proc/net/udp", port)),
    ...(await listeningSockets("udp", "/proc/net/udp6", port)),
  ].filter(({ address }) => excludeEachOther(at, address));
  if (sockets.length === 0) return null;
  const pids = (await entries("/proc")).filter((name) => /^\d+$/.test(name));
  // The service manager shares the sockets that it has opened with the processes that serve there.
  for (const pid of [...pids.filter((one) => one !== "1"), "1"]) {
    const socket = await findSocket(pid, sockets);
    if (socket === null) continue;
    const address = everyAddress.includes(socket.address) ? null : socket.address;
    return { pid: Number(pid), command: await findCommand(pid), address };
  }
  return null;
}

/** Whether only one of two listeners on a port can exist. */
function excludeEachOther(one: string, other: string): boolean {
  if (everyAddress.includes(one) || everyAddress.includes(other)) return true;
  const list = new BlockList();
  list.addAddress(one, isIPv6(one) ? "ipv6" : "ipv4");
  return list.check(other, isIPv6(other) ? "ipv6" : "ipv4");
}

/** Columns of /proc/net/tcp: number, local address:port in hex, remote, state, …, inode (tenth). */
async function listeningSockets(
  protocol: "tcp" | "udp",
  file: string,
  port: number,
): Promise<ListeningSocket[]> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, "0");
  return (await text(file))
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[3] === listening[protocol])
    .flatMap((columns) => {
      const [address = "", hex] = (columns[1] ?? "").split(":");
      const inode = columns[9];
      if (hex !== hexPort || inode === undefined) return [];
      return [{ inode, address: readHexAddress(address) }];
    });
}

/** As the kernel prints it: words of 32 bits in the byte order of the machine. */
function readHexAddress(hex: string): string {
  const bytes = Buffer.from(hex, "hex");
  if (endianness() === "LE") bytes.swap32();
  if (bytes.length === 4) return [...bytes].join(".");
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16));
  return bytes.every((byte) => byte === 0) ? "::" : groups.join(":");
}

async function findSocket(
  pid: string,
  sockets: readonly ListeningSocket[],
): Promise<ListeningSocket | null> {
  for (const fd of await entries(`/proc/${pid}/fd`)) {
    const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => "");
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    const socket = sockets.find((one) => one.inode === inode);
    if (socket !== undefined) return socket;
  }
  return null;
}

async function findCommand(pid: string): Promise<string> {
  const words = (await text(`/proc/${pid}/cmdline`)).split("\0").filter((word) => word !== "");
  return words.join(" ");
}

// Processes end while /proc is read, and those of other users cannot be read: both count as absent.
async function text(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

async function entries(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}
