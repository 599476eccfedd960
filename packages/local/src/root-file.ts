import { readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

const waitMs = 5_000;
const pollMs = 50;

/**
 * Keeps a copy of the local CA's root where a person finds it. The edge makes the authority as it
 * starts, unless certificates come from elsewhere; false while there is none.
 */
export async function writeRootFile(
  apiUrl: string,
  file: string,
  isExpected: boolean,
): Promise<boolean> {
  const root = await fetchRoot(apiUrl, isExpected ? waitMs : 0);
  if (root === null) return false;
  const known = await readFile(file, "utf8").catch(() => null);
  if (known === root) return true;
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, root, { mode: 0o644 });
  await rename(draft, file);
  return true;
}

async function fetchRoot(apiUrl: string, withinMs: number): Promise<string | null> {
  const startedAt = performance.now();
  for (;;) {
    const answer = await fetch(`${apiUrl}/sandbox/ca.pem`);
    const text = await answer.text();
    if (answer.ok) return text;
    if (performance.now() - startedAt >= withinMs) return null;
    await delay(pollMs);
  }
}
