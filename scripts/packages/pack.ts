import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { cli } from "./cli.ts";
import { type PublishedPackage, stagePackage, workspaceVersion } from "./published-package.ts";
import { sdk } from "./sdk.ts";
import { server } from "./server.ts";
import { widget } from "./widget.ts";

/**
 * `node scripts/packages/pack.ts [directory]`: the tarballs of all published packages, as `npm
 * publish` takes them. The same sources give the same bytes.
 */
export const publishedPackages: readonly PublishedPackage[] = [sdk, widget, cli, server];

export interface Tarball {
  readonly name: string;
  readonly version: string;
  /** The path of the `.tgz`. */
  readonly file: string;
  readonly hasTypes: boolean;
  /** The paths inside the package. */
  readonly contents: readonly string[];
}

export async function packAll(
  destination: string,
  version: string = workspaceVersion(),
): Promise<readonly Tarball[]> {
  mkdirSync(destination, { recursive: true });
  const staging = mkdtempSync(path.join(tmpdir(), "mooring-pack-"));
  try {
    const tarballs: Tarball[] = [];
    for (const one of publishedPackages) {
      const folder = path.join(staging, path.basename(one.directory));
      await stagePackage(one, folder, version);
      tarballs.push(await packFolder(one, folder, destination));
    }
    return tarballs;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

interface Packed {
  readonly version: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

export async function packFolder(
  { name, hasTypes }: PublishedPackage,
  folder: string,
  destination: string,
): Promise<Tarball> {
  const args = ["pack", folder, "--json", "--ignore-scripts", "--pack-destination", destination];
  const { stdout } = await promisify(execFile)("npm", args);
  const [packed] = JSON.parse(stdout) as readonly Packed[];
  if (packed === undefined) throw new Error(`npm packed nothing of ${name}`);
  return {
    name,
    hasTypes,
    version: packed.version,
    file: path.join(destination, packed.filename),
    contents: packed.files.map((file) => file.path),
  };
}

if (import.meta.main) {
  const destination = path.resolve(process.argv[2] ?? "release");
  for (const { name, version, file } of await packAll(destination)) {
    console.log(`${name} ${version}: ${path.relative(".", file)}`);
  }
}
