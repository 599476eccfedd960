/**
 * The servers of a URL, one URL each. Several are written as libpq reads them,
 * `postgres://user:password@one:5432,two:5432/database`: one is the primary, the others are its
 * standbys. Throws a TypeError when it is no such URL.
 */
export function parseServers(url: string): readonly [string, ...string[]] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url);
  if (parts === null) throw new TypeError("expected a URL starting with postgres://");
  const [, before = "", hosts = "", after = ""] = parts;
  const [first = "", ...others] = hosts.split(",");
  const serverAt = (host: string): string => new URL(`${before}${host}${after}`).toString();
  return [serverAt(first), ...others.map(serverAt)];
}

/** Which of several servers is taken for the primary, until it fails. */
export interface Servers {
  readonly count: number;
  current(): string;
  /** The next one is tried from now on, unless another one is tried already. */
  fail(url: string): void;
}

export function createServers(url: string): Servers {
  const urls = parseServers(url);
  let index = 0;
  const current = (): string => urls[index % urls.length] ?? urls[0];
  return {
    count: urls.length,
    current,
    fail: (failed) => {
      if (failed === current()) index += 1;
    },
  };
}
