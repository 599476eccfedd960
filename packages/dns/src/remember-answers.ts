import type { FoundZone, Reply, Resolver } from "./resolver.ts";

/**
 * The same resolver, asking each question once: for one look at several records that stand at the
 * same name or in the same zone. Not to be kept; it never forgets.
 */
export function rememberAnswers(resolver: Resolver): Resolver {
  const zones = new Map<string, Promise<FoundZone>>();
  const replies = new Map<string, Promise<Reply>>();
  return {
    findZone: (name, signal) => remember(zones, name, () => resolver.findZone(name, signal)),
    resolve: (name, type, signal) =>
      remember(replies, `${type} ${name}`, () => resolver.resolve(name, type, signal)),
    askServer: (server, name, type, options) =>
      remember(replies, `${type} ${name} ${server.host} ${options.transport}`, () =>
        resolver.askServer(server, name, type, options),
      ),
  };
}

function remember<T>(
  known: Map<string, Promise<T>>,
  key: string,
  ask: () => Promise<T>,
): Promise<T> {
  const asked = known.get(key) ?? ask();
  known.set(key, asked);
  return asked;
}
