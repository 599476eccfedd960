/**
 * `@peculiar/x509` uses a dependency injection library that does not load without the metadata
 * calls once proposed for `Reflect`. It needs only these three; import this file before that
 * package.
 */
const metadata = new WeakMap<object, Map<unknown, unknown>>();

function getOwnMetadata(key: unknown, target: object): unknown {
  return metadata.get(target)?.get(key);
}

function getMetadata(key: unknown, target: object): unknown {
  for (let at: object | null = target; at !== null; at = Object.getPrototypeOf(at)) {
    if (metadata.get(at)?.has(key) === true) return getOwnMetadata(key, at);
  }
  return undefined;
}

function defineMetadata(key: unknown, value: unknown, target: object): void {
  const own = metadata.get(target) ?? new Map<unknown, unknown>();
  metadata.set(target, own.set(key, value));
}

// A full implementation, should one be loaded, stays in place.
if (!("getMetadata" in Reflect)) {
  Object.assign(Reflect, { getOwnMetadata, getMetadata, defineMetadata });
}
