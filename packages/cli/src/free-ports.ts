import { once } from "node:events";
import { createServer } from "node:net";
import { findPortHolder, type PortHolder } from "./port-holder.ts";

/** A listener that a process is going to open, and the variable that moves it. */
export interface WantedPort {
  readonly variable: string;
  readonly host: string;
  readonly port: number;
}

/** A port that cannot be listened on, in words for the person who starts the process. */
export class PortError extends Error {
  override readonly name = "PortError";
  readonly variable: string;
  readonly mend: string;
  /** Who listens there, when that is the problem and the system tells. */
  readonly holder: PortHolder | null;
  constructor(wanted: WantedPort, problem: string, mend: string, holder: PortHolder | null = null) {
    super(problem);
    this.variable = wanted.variable;
    this.mend = mend;
    this.holder = holder;
  }
}

/** Null when the port can be listened on at this moment. */
export async function portProblem(wanted: WantedPort): Promise<PortError | null> {
  const code = await tryListen(wanted);
  return code === null ? null : describe(wanted, code);
}

/** The first of them that cannot be listened on is thrown. */
export async function requireFreePorts(wanted: readonly WantedPort[]): Promise<void> {
  for (const port of wanted) {
    const problem = await portProblem(port);
    if (problem) throw problem;
  }
}

async function describe(wanted: WantedPort, code: string): Promise<PortError> {
  const { variable, host, port } = wanted;
  const another = `${variable}=${port < 65_535 ? port + 1 : port - 1}`;
  if (code === "EADDRINUSE") {
    const holder = await findPortHolder(port);
    const who = holder ? `process ${holder.pid} (${shorten(holder.command)})` : "another process";
    return new PortError(
      wanted,
      `port ${port} is taken by ${who}`,
      `stop it, or choose another port with ${another}`,
      holder,
    );
  }
  if (code === "EACCES") {
    const mend = `choose one above 1023 with ${variable}, or allow this user to open it`;
    return new PortError(wanted, `this user may not listen on port ${port}`, mend);
  }
  const variableOfHost = variable.startsWith("EDGE_") ? "EDGE_HOST" : "HOST";
  return new PortError(
    wanted,
    `${host} is not an address of this machine`,
    `set ${variableOfHost} to one that is (127.0.0.1, 0.0.0.0)`,
  );
}

/** The end of a command line says what runs; its beginning is a path. */
function shorten(command: string): string {
  return command.length > 80 ? `…${command.slice(-79)}` : command;
}

const expected = ["EADDRINUSE", "EACCES", "EADDRNOTAVAIL", "ENOTFOUND"];

async function tryListen({ host, port }: WantedPort): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
    server.close();
    await once(server, "close");
    return null;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (expected.includes(code)) return code;
    throw error;
  }
}
