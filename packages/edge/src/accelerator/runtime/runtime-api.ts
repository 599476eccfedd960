import { connect } from "node:net";

/** HAProxy's runtime API, at a socket that only the user of the edge can open. */
export interface RuntimeApi {
  /**
   * The response to one command, which may have a payload of several lines. Rejects when HAProxy
   * does not answer.
   */
  run(command: string, payload?: string): Promise<string>;
  /** Commands without a payload, in order, in as few connections as fit. */
  runAll(commands: readonly string[]): Promise<void>;
}

const timeoutMs = 1_500;
/** HAProxy reads a line of commands into one buffer. */
const maxLineBytes = 12_000;

export function createRuntimeApi(socketPath: string): RuntimeApi {
  const run = (command: string, payload?: string): Promise<string> =>
    // An empty line ends a payload.
    ask(
      socketPath,
      payload === undefined ? `${command}\n` : `${command} <<\n${payload.trim()}\n\n`,
    );
  return {
    run,
    async runAll(commands) {
      let line = "";
      for (const command of commands) {
        if (line !== "" && line.length + command.length > maxLineBytes) {
          await run(line);
          line = "";
        }
        line += line === "" ? command : `;${command}`;
      }
      if (line !== "") await run(line);
    },
  };
}

function ask(socketPath: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    let answer = "";
    socket.setEncoding("utf8");
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error("HAProxy does not answer")));
    socket.on("data", (chunk: string) => {
      answer += chunk;
    });
    socket.on("end", () => resolve(answer.trim()));
    socket.on("error", reject);
    socket.write(text);
  });
}
