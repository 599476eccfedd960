import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Tarball } from "../../../scripts/packages/pack.ts";

export interface ScopedRegistry {
  /** The option of npm that sends the packages of our scope here, and all others elsewhere. */
  readonly option: string;
  close(): void;
}

/** A registry that has one package of ours, as npm's own would answer after `npm publish`. */
export async function startScopedRegistry(
  { name, version, file }: Tarball,
  manifest: Readonly<Record<string, unknown>>,
): Promise<ScopedRegistry> {
  const bytes = readFileSync(file);
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const server = createServer((request, response) => {
    if (request.url === "/package.tgz") {
      response.end(bytes);
      return;
    }
    if (decodeURIComponent(request.url ?? "") !== `/${name}`) {
      response.writeHead(404).end();
      return;
    }
    const dist = { tarball: `http://${request.headers.host}/package.tgz`, integrity };
    // The registry tells by this field that the package has a lockfile of its own.
    const published = { ...manifest, dist, _hasShrinkwrap: true };
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        name,
        "dist-tags": { latest: version },
        versions: { [version]: published },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const scope = name.split("/")[0];
  return {
    option: `--${scope}:registry=http://127.0.0.1:${port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
