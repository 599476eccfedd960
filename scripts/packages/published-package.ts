import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * A package as npm gets it. In the workspace it is private and runs from source; what is published
 * is a folder of its own with built files and a manifest made from the workspace's.
 */
export interface PublishedPackage {
  readonly name: string;
  /** Its folder in the workspace. */
  readonly directory: string;
  /** Whether its declarations are a part of what it promises. */
  readonly hasTypes: boolean;
  /** Writes the built files into the folder and returns what the manifest says about them. */
  build(folder: string, version: string): Promise<PublishedFields>;
}

/** The fields of a manifest that describe built files. */
export interface PublishedFields {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly files: readonly string[];
  readonly engines: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export const root = path.resolve(import.meta.dirname, "../..");

/** The version of the workspace, which all packages share. */
export function workspaceVersion(): string {
  return String(readJson(path.join(root, "package.json"))["version"]);
}

/** Writes the package as it is packed: built files, manifest, README and LICENSE. */
export async function stagePackage(
  one: PublishedPackage,
  folder: string,
  version: string,
): Promise<void> {
  const source = path.join(root, one.directory);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const fields = await one.build(folder, version);
  const manifest = publishedManifest(one, fields, version);
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(path.join(source, "README.md"), path.join(folder, "README.md"));
  copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
}

/** A registry proves where a package was built only when the manifest names its `repository`. */
function publishedManifest(
  one: PublishedPackage,
  fields: PublishedFields,
  version: string,
): Readonly<Record<string, unknown>> {
  const { description, license, type } = readJson(path.join(root, one.directory, "package.json"));
  const { repository, homepage, bugs } = readJson(path.join(root, "package.json"));
  return {
    name: one.name,
    version,
    description,
    keywords: ["custom-domains", "dns", "saas", "mooring"],
    license,
    homepage,
    bugs,
    repository: { ...(repository as object), directory: one.directory },
    type,
    ...fields,
    publishConfig: { access: "public", provenance: true },
  };
}

function readJson(file: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
}
