import { createSecretKey } from "node:crypto";
import { isKeyId, type RootKeys, VaultError } from "./root-key.ts";
import { deriveRing, type KeyRing, type Purpose, type PurposeKeys, purposes } from "./vault.ts";

const keyBytes = 32;

/** The keys of these purposes as text that `parseKeyRing` reads: `id/purpose:base64,…`. */
export function formatKeyRing(rootKeys: RootKeys, wanted: readonly Purpose[]): string {
  const { byKeyId } = deriveRing(rootKeys, wanted);
  return [...byKeyId]
    .flatMap(([id, byPurpose]) =>
      [...byPurpose].map(([purpose, { wrapping, mac }]) => {
        const bytes = Buffer.concat([wrapping.export(), mac.export()]);
        return `${id}/${purpose}:${bytes.toString("base64")}`;
      }),
    )
    .join(",");
}

/** Errors name an entry by its position only, as those of `parseRootKeys` do. */
export function parseKeyRing(text: string): KeyRing {
  const keys = new Map<string, Map<Purpose, PurposeKeys>>();
  for (const [index, entry] of text.split(",").entries()) {
    const { id, purpose, pair } = parseEntry(entry.trim(), index + 1);
    const byPurpose = keys.get(id) ?? new Map<Purpose, PurposeKeys>();
    if (byPurpose.has(purpose)) throw bad(index + 1, "has the same id and purpose as another");
    keys.set(id, byPurpose.set(purpose, pair));
  }
  const [currentKeyId] = keys.keys();
  if (currentKeyId === undefined) throw new VaultError("bad_root_key", "the key ring is empty");
  return { currentKeyId, byKeyId: keys };
}

function parseEntry(entry: string, position: number) {
  const match = /^([^/:]+)\/([a-z_]+):([A-Za-z0-9+/]+={0,2})$/.exec(entry);
  if (match === null) throw bad(position, "must be written id/purpose:base64");
  const [, id = "", name = "", encoded = ""] = match;
  const purpose = purposes.find((one) => one === name);
  if (!isKeyId(id)) throw bad(position, "has an id that a root key cannot have");
  if (purpose === undefined) throw bad(position, "has a purpose that this release does not know");
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.length !== 2 * keyBytes) {
    throw bad(position, `has ${bytes.length} bytes, ${2 * keyBytes} are needed`);
  }
  const pair = {
    wrapping: createSecretKey(bytes.subarray(0, keyBytes)),
    mac: createSecretKey(bytes.subarray(keyBytes)),
  };
  return { id, purpose, pair };
}

function bad(position: number, what: string): VaultError {
  return new VaultError("bad_root_key", `entry ${position} of the key ring ${what}`);
}
