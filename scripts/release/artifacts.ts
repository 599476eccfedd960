import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { packAll, type Tarball } from "../packages/pack.ts";
import { licenceTexts, productionBom } from "./files.ts";
import { type ImageFacts, imageBake } from "./image-bake.ts";

export interface ArtifactOptions {
  /** The folder that the files of the release are written to; it is emptied. */
  readonly output: string;
  /** The folder with the manifests and the lockfile of the version that is released. */
  readonly manifests: string;
  readonly notes: string;
  readonly image: ImageFacts;
}

/**
 * Writes all files of a release: the tarballs for npm, `release-notes.md`, `sbom.cdx.json`,
 * `THIRD_PARTY_LICENSES.txt`, `docker-bake.json` with the labels of the images, and `SHA256SUMS`
 * over all of them. The same commit and version give the same bytes.
 */
export async function writeArtifacts(options: ArtifactOptions): Promise<readonly Tarball[]> {
  const { output, manifests, notes, image } = options;
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(path.join(output, name), text);
  const tarballs = await packAll(output, image.version);
  write("release-notes.md", `# Mooring ${image.version}\n\n${notes}\n`);
  write("sbom.cdx.json", json(fixedBom(productionBom(manifests), image)));
  write("THIRD_PARTY_LICENSES.txt", licenceTexts());
  write("docker-bake.json", json(imageBake(image)));
  write("SHA256SUMS", checksums(output));
  return tarballs;
}

/** In the form that `sha256sum --check` reads. */
function checksums(directory: string): string {
  const files = readdirSync(directory).sort();
  const lines = files.map((file) => {
    const hash = createHash("sha256").update(readFileSync(path.join(directory, file)));
    return `${hash.digest("hex")}  ${file}\n`;
  });
  return lines.join("");
}

/** npm names the product by its folder, and makes up the time and the serial number. */
function fixedBom(bom: ReturnType<typeof productionBom>, { created }: ImageFacts): object {
  const named = {
    ...bom,
    metadata: {
      ...bom.metadata,
      timestamp: created,
      component: { ...bom.metadata.component, name: "mooring", type: "application" },
    },
  };
  const hash = createHash("sha256")
    .update(JSON.stringify({ ...named, serialNumber: "" }))
    .digest("hex");
  return { ...named, serialNumber: `urn:uuid:${formatUuid(hash)}` };
}

/** A UUID of version 8, whose bits are ours (RFC 9562 §5.8). */
function formatUuid(hash: string): string {
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`];
  return [...parts, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join("-");
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
