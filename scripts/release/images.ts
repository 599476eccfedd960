import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { root } from "../packages/published-package.ts";
import type { ImageFacts } from "./image-bake.ts";

const execute = promisify(execFile);
/** The targets of docker-bake.json. */
const targets = ["mooring", "mooring-one"] as const;

/** The archives, and the command that builds them from the docker-bake.json of the folder. */
export function imageCommand(
  output: string,
  { version }: ImageFacts,
): { readonly files: readonly string[]; readonly args: readonly string[] } {
  const files = targets.map((target) => `${target}-${version}.oci.tar`);
  const outputs = targets.flatMap((target, index) => {
    const file = path.join(output, files[index] ?? "");
    return ["--set", `${target}.output=type=oci,rewrite-timestamp=true,dest=${file}`];
  });
  const bake = ["buildx", "bake", "--file", path.join(output, "docker-bake.json")];
  return { files, args: [...bake, ...outputs] };
}

/**
 * Builds the images as OCI archives, which `docker load` and registries take. Returns the reason as
 * text where no Docker engine answers; a build that fails is an error.
 */
export async function writeImages(
  output: string,
  facts: ImageFacts,
): Promise<readonly string[] | string> {
  try {
    await execute("docker", ["info", "--format", "{{.ServerVersion}}"]);
  } catch {
    return "no Docker engine answers here";
  }
  const { files, args } = imageCommand(output, facts);
  const seconds = String(new Date(facts.created).getTime() / 1_000);
  await execute("docker", args, {
    cwd: root,
    env: { ...process.env, SOURCE_DATE_EPOCH: seconds },
    maxBuffer: 2 ** 28,
  });
  return files;
}
