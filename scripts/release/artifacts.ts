import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { packAll, type Tarball } from "../packages/pack.ts";
import { licenceTexts, productionBom } from "./files.ts";
import { type ImageFacts, imageBake } from "./image-bake.ts";
import { writeImages } from "./images.ts";

export interface ArtifactOptions {
  /** The folder that the files of the release are written to; it is emptied. */
  readonly output: string;
  /** The folder with the manifests and the lockfile of the version that is released. */
  readonly manifests: string;
  readonly notes: string;
  /** What an operator must do. */
  readonly upgradeNotes: string;
  readonly image: ImageFacts;
  /** Whether the images are built too, where a Docker engine answers. */
  readonly hasImages: boolean;
}

export interface Artifacts {
  readonly tarballs: readonly Tarball[];
  /** The archives of the images, or why there are none. */
  readonly images: readonly string[] | string;
}

/**
 * Writes all files of a release: the tarballs for npm, `release-notes.md`,
 * `upgrade-notes.md`, `sbom.cdx.json`, `THIRD_PARTY_LICENSES.txt`, `docker-bake.json` with the
 * labels of the images, the images, and `SHA256SUMS` over all of them. The same commit and version
 * give the same bytes, but for the images: their base is of the day.
 */
export async function writeArtifacts(options: ArtifactOptions): Promise<Artifacts> {
  const { output, manifests, notes, image } = options;
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(path.join(output, name), text);
  const tarballs = await packAll(output, image.version);
  write("release-notes.md", `# Mooring ${image.version}\n\n${notes}\n`);
  write("upgrade-notes.md", `# Upgrading to Mooring ${image.version}\n\n${options.upgradeNotes}\n`);
  write("sbom.cdx.json", json(fixedBom(productionBom(manifests), image)));
  write("THIRD_PARTY_LICENSES.txt", licenceTexts());
  write("docker-bake.json", json(imageBake(image)));
  const images = options.hasImages ? await writeImages(output, image) : "not asked for";
  write("SHA256SUMS", checksums(output));
  return { tarballs, images };
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
