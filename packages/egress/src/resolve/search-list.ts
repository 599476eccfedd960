/** The part of resolv.conf(5) that says which names a short name stands for. */
export interface SearchList {
  readonly domains: readonly string[];
  /** Names with fewer dots are completed with the domains. */
  readonly ndots: number;
}

export const noSearchList: SearchList = { domains: [], ndots: 1 };

const maxNdots = 15;

/** As in glibc the last `search` or `domain` line counts, and the last `ndots`. */
export function parseSearchList(text: string): SearchList {
  let domains: readonly string[] = [];
  let ndots = noSearchList.ndots;
  for (const line of text.split("\n")) {
    const [keyword, ...values] = line.trim().split(/\s+/);
    if (keyword === "search") domains = values.map(plainName).filter((name) => name !== "");
    else if (keyword === "domain") domains = values.slice(0, 1).map(plainName);
    else if (keyword === "options") ndots = readNdots(values) ?? ndots;
  }
  return { domains, ndots };
}

/**
 * The absolute names to ask for, in order, until one exists. A name without a dot is a local one
 * and is completed first. A name with dots is asked for as it is first, also where `ndots` is
 * larger, as in Kubernetes: a search domain must not answer for a public name, and each costs a
 * question.
 */
export function namesToAsk(hostname: string, { domains, ndots }: SearchList): readonly string[] {
  const name = plainName(hostname);
  const dots = name.split(".").length - 1;
  if (hostname.endsWith(".") || dots >= ndots) return [name];
  const completed = domains.map((domain) => `${name}.${domain}`);
  return dots === 0 ? [...completed, name] : [name, ...completed];
}

/** Lower case, without the final dot. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

function readNdots(values: readonly string[]): number | null {
  const found = values.findLast((value) => /^ndots:\d{1,3}$/.test(value));
  return found === undefined ? null : Math.min(maxNdots, Number(found.slice(6)));
}
