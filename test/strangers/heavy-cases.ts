import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { StrangerCase } from "./cases.ts";
import { frontUrl, runClient } from "./clients.ts";
import { hostname } from "./fronts.ts";

const clients = path.join(import.meta.dirname, "clients");

type Compiled = readonly [command: string, ...args: string[]];

/** Go's and Java's clients, compiled once; their tools are large, so they run in the soak only. */
export async function heavyCases(): Promise<readonly StrangerCase[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "mooring-strangers-"));
  const go = path.join(folder, "go-client");
  const goEnv = ["env", `GOCACHE=${folder}/cache`, "GO111MODULE=off", "GOFLAGS="] as const;
  await compile([
    ...goEnv,
    "/usr/lib/go-1.19/bin/go",
    "build",
    "-o",
    go,
    `${clients}/go_client.go`,
  ]);
  await compile(["javac", "-d", folder, `${clients}/JavaClient.java`]);
  const hosts = path.join(folder, "hosts");
  await writeFile(hosts, `127.0.0.1 ${hostname}\n`);
  const java = ["java", `-Djdk.net.hosts.file=${hosts}`, "-cp", folder, "JavaClient"] as const;
  return [...createCases("Go", [go]), ...createCases("Java", java)];
}

async function compile([command, ...args]: Compiled): Promise<void> {
  const { code, stderr } = await runClient(command, args);
  if (code !== 0) throw new Error(`${command} failed: ${stderr}`);
}

const gets = {
  "/length": "a body with its length",
  "/chunked": "a chunked body",
  "/close": "a body of HTTP/1.0, ended by the close",
  "/events": "an event stream",
  "/trailers": "trailers",
  "/204": "204 without a body",
} as const;

const uploadBytes = "1048576";

function createCases(name: string, [command, ...args]: Compiled): StrangerCase[] {
  const one =
    (target: string, version: string, method = "GET", bytes = "0"): StrangerCase["run"] =>
    async (front) => {
      const options = [frontUrl(front, target), front.caFile, method, bytes, version];
      const { stdout, stderr } = await runClient(command, [...args, ...options]);
      // The port is in the messages of failures.
      return (stdout || stderr).trim().replaceAll(String(front.port), "PORT");
    };
  return ["1.1", "2"].flatMap((version): StrangerCase[] => {
    const client = `${name}, HTTP/${version}`;
    return [
      ...Object.entries(gets).map(([target, about]) => ({
        client,
        name: about,
        run: one(target, version),
      })),
      { client, name: "an upload of 1 MiB", run: one("/size", version, "POST", uploadBytes) },
    ];
  });
}
