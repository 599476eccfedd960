/**
 * The dependency injection inside `@peculiar/x509` refuses to load without the metadata calls that
 * were once proposed for `Reflect`. It uses these three, on classes that carry no metadata of their
 * own; import this file before that package.
 */
const kept = new WeakMap<object, Map<unknown, unknown>>();

function getOwnMetadata(key: unknown, target: object): unknown {
  return kept.get(target)?.get(key);
}

function getMetadata(key: unknown, target: object): unknown {
  for (let at: object | null = target; at !== null; at = Object.getPrototypeOf(at)) {
    if (kept.get(at)?.has(key) === true) return getOwnMetadata(key, at);
  }
  return undefined;
}

function defineMetadata(key: unknown, value: unknown, target: object): void {
  const own = kept.get(target) ?? new Map<unknown, unknown>();
  kept.set(target, own.set(key, value));
}

// A full implementation, should one be loaded, stays in place.
if (!("getMetadata" in Reflect)) {
  Object.assign(Reflect, { getOwnMetadata, getMetadata, defineMetadata });
}
