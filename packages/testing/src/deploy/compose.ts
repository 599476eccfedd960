import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const deploy = path.resolve(import.meta.dirname, "../../../../deploy");
export interface PublishedPort {
  /** Null: every address of the host, IPv4 and IPv6. */
  readonly address: string | null;
  readonly published: number;
  readonly target: number;
  readonly protocol: string;
}

/** Reads the short form, `[address:]published:target[/protocol]`. */
function publishedPort(text: string): PublishedPort {
  const found = /^(?:\[?([0-9a-f.:]+?)\]?:)?(\d+):(\d+)(?:\/(tcp|udp))?$/.exec(text);
  assert.ok(found, text);
  const [, address = null, published, target, protocol = "tcp"] = found;
  return { address, published: Number(published), target: Number(target), protocol };
}

const Port = z.union([
  z.string().transform(publishedPort),
  z
    .object({
      host_ip: z.string().optional(),
      published: z.coerce.number(),
      target: z.number(),
      protocol: z.string().default("tcp"),
    })
    .transform(({ host_ip: address = null, ...port }): PublishedPort => ({ address, ...port })),
]);

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      command: z.array(z.string()).optional(),
      depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
      environment: z.record(z.string(), z.string()).optional(),
      healthcheck: z.object({ test: z.array(z.string()) }).optional(),
      ports: z.array(Port).default([]),
      profiles: z.array(z.string()).default([]),
      read_only: z.boolean().optional(),
      cap_drop: z.array(z.string()).optional(),
    }),
  ),
  networks: z.record(
    z.string(),
    z.object({
      enable_ipv6: z.boolean().optional(),
      ipam: z.object({ config: z.array(z.object({ subnet: z.string() })) }).optional(),
    }),
  ),
});
export type ComposeFile = z.infer<typeof Compose>;
export type ComposeService = ComposeFile["services"][string];

/** deploy/.env.example with these values filled in or changed. */
export function envFile(values: Readonly<Record<string, string>> = {}): string {
  let text = readFileSync(path.join(deploy, ".env.example"), "utf8");
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`^${name}=.*$`, "m");
    text = line.test(text) ? text.replace(line, `${name}=${value}`) : `${text}${name}=${value}\n`;
  }
  return text;
}

/**
 * deploy/compose.yaml, with further files on top, as docker-compose reads it with this .env file.
 */
export function composeConfig(file: string, ...overrides: readonly string[]): ComposeFile {
  const files = ["compose.yaml", ...overrides].flatMap((name) => ["-f", path.join(deploy, name)]);
  const args = ["--env-file", file, ...files, "config"];
  const { status, stdout, stderr } = spawnSync("docker-compose", args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return Compose.parse(parse(stdout));
}

/** The services that `up` starts without a profile. */
export function defaultServices({
  services,
}: ComposeFile): Readonly<Record<string, ComposeService>> {
  return Object.fromEntries(
    Object.entries(services).filter(([, { profiles }]) => profiles.length === 0),
  );
}

/**
 * The variables that deploy/Dockerfile sets: in the stage `processes`, and those that `one` adds.
 */
export function imageEnvironment(
  target: "processes" | "one" = "processes",
): Readonly<Record<string, string>> {
  const text = readFileSync(path.join(deploy, "Dockerfile"), "utf8").replaceAll("\\\n", " ");
  const [, processes = "", one = ""] = text.split(/^FROM \S+ AS (?=processes$|one$)/m);
  const stages = target === "one" ? [processes, one] : [processes];
  const words = stages.flatMap(
    (stage) => /^ENV (.*)$/m.exec(stage)?.[1]?.trim().split(/\s+/) ?? [],
  );
  return Object.fromEntries(words.map((word) => word.split("=", 2)));
}
