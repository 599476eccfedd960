import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

/** A server of the bench in a process of its own, so that load and work do not share a thread. */
export async function startHelloProcess(): Promise<{
  readonly url: string;
  stop(): Promise<void>;
}> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "../hello-main.ts")], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [message] = await once(child, "message");
  return {
    url: String(message.url),
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}
