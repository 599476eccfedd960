import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * `node scripts/release/files.ts [directory]`: what a release says about its dependencies. The
 * image has it in /app/release.
 * - `sbom.cdx.json`: CycloneDX, by npm from the lockfile. npm's own `--omit dev` leaves out
 *   packages that the workspace also has as tools, so the development packages are removed here.
 * - `THIRD_PARTY_LICENSES.txt`: the licences of the same packages.
 */
interface Component {
  readonly "bom-ref": string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Bom {
  readonly metadata: { readonly component: object };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Locked {
  readonly version?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly license?: string;
}

const root = path.resolve(import.meta.dirname, "../..");

/** Of the lockfile and the manifests in this directory. */
export function productionBom(directory: string = root): Bom {
  const args = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
  const text = execFileSync("npm", args, {
    cwd: directory,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const bom = JSON.parse(text) as Bom;
  // npm lists a package once that is there twice, as the tool that it is to one of its users.
  const released = new Set(
    productionPackages(directory).map(([location, entry]) => formatRef(location, entry)),
  );
  const components = bom.components
    .filter((one) => released.has(one["bom-ref"]) || !isDevelopment(one))
    .map(({ properties, ...one }) =>
      properties === undefined ? one : { ...one, properties: properties.filter(isOfRelease) },
    );
  const names = new Set(components.map((one) => one["bom-ref"]));
  const dependencies = bom.dependencies
    .filter(({ ref }) => names.has(ref) || ref.startsWith("mooring-workspace@"))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => names.has(one)) }));
  return { ...bom, components, dependencies };
}

type Property = NonNullable<Component["properties"]>[number];

function isOfRelease({ name }: Property): boolean {
  return name !== "cdx:npm:package:development";
}

function isDevelopment({ properties = [] }: Component): boolean {
  return !properties.every(isOfRelease);
}

function formatRef(location: string, { version }: Locked): string {
  return `${location.slice(location.lastIndexOf("node_modules/") + "node_modules/".length)}@${version}`;
}

/** The packages that a release contains, by their location in the lockfile. */
export function productionPackages(
  directory: string = root,
): readonly (readonly [location: string, entry: Locked])[] {
  const lock = JSON.parse(readFileSync(path.join(directory, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  return Object.entries(lock.packages).filter(
    ([location, entry]) => location.includes("node_modules/") && !entry.link && !entry.dev,
  );
}

export function licenceTexts(): string {
  return readTexts(productionPackages());
}

/** The licences of the packages at these locations of the lockfile. */
export function readLicences(locations: ReadonlySet<string>): string {
  const found = productionPackages().filter(([location]) => locations.has(location));
  const unknown = [...locations].filter((location) => !found.some(([one]) => one === location));
  if (unknown.length > 0) throw new Error(`not in the lockfile of production: ${unknown}`);
  return readTexts(found);
}

/** A package of another platform is not installed, and has only its line. */
function readTexts(packages: readonly (readonly [location: string, entry: Locked])[]): string {
  const parts = packages.map(([location, { version, license }]) => {
    const name = location.slice(location.lastIndexOf("node_modules/") + "node_modules/".length);
    const files = globSync("{LICEN[CS]E,COPYING,NOTICE}*", {
      cwd: path.join(root, location),
    }).sort();
    const texts = files.map((file) => readFileSync(path.join(root, location, file), "utf8").trim());
    return [`${name} ${version} (${license})`, ...texts].join("\n\n");
  });
  return `${parts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

if (import.meta.main) {
  const directory = path.resolve(process.argv[2] ?? path.join(root, "release"));
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, "sbom.cdx.json"), JSON.stringify(productionBom(), null, 2));
  writeFileSync(path.join(directory, "THIRD_PARTY_LICENSES.txt"), licenceTexts());
  console.log(`wrote sbom.cdx.json and THIRD_PARTY_LICENSES.txt to ${directory}`);
}
