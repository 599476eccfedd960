import { existsSync, readFileSync } from "node:fs";
import { productionBom, productionPackages } from "../release/files.ts";

/**
 * What a clone can show about its supply chain: licences and bill of materials of what a release contains,
 * the confinement of the image, and what its build does not see. Digests of base images need a registry,
 * so the Dockerfile and the compose file take them as settings instead.
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
for (const [place, { license }] of productionPackages()) {
  require(allowedLicences.includes(license ?? ""), `${place} has the licence ${license}`);
}

const listed = new Set(productionBom().components.map((one) => one["bom-ref"]));
for (const [place, { version }] of productionPackages()) {
  const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
  require(listed.has(`${name}@${version}`), `the bill of materials lacks ${name}@${version}`);
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
