import { randomBytes } from "node:crypto";
import type { Resolver, ReusingResolver } from "./resolver.ts";

/**
 * The same resolver for the checks of a wildcard: what is asked of `*.example.com` is asked of a
 * random label below `example.com`, as a visitor would. That nobody has asked for it before, no
 * cache has an answer.
 */
export function withWildcardProbe(resolver: Resolver): Resolver {
  const label = `probe-${randomBytes(6).toString("hex")}`;
  const { reuse } = resolver;
  return {
    ...probing(resolver, label),
    ...(reuse === undefined
      ? {}
      : {
          reuse: (oldest): ReusingResolver => {
            const reusing = reuse.call(resolver, oldest);
            const pickServer = reusing.pickServer.bind(reusing);
            return { ...probing(reusing, label), pickServer };
          },
        }),
  };
}

function probing(resolver: Resolver, label: string): Resolver {
  const at = (name: string): string => probedName(name, label);
  const { validate, resolveEach } = resolver;
  return {
    findZone: (name, signal) => resolver.findZone(at(name), signal),
    askServer: (server, name, type, options) => resolver.askServer(server, at(name), type, options),
    resolve: (name, type, signal) => resolver.resolve(at(name), type, signal),
    ...(validate === undefined
      ? {}
      : { validate: (name, types, signal) => validate.call(resolver, at(name), types, signal) }),
    ...(resolveEach === undefined
      ? {}
      : {
          resolveEach: (name, type, signal) => resolveEach.call(resolver, at(name), type, signal),
        }),
  };
}

/** A name that the wildcard covers; any other name unchanged. */
export function probedName(name: string, label: string): string {
  return name.startsWith("*.") ? `${label}${name.slice(1)}` : name;
}
