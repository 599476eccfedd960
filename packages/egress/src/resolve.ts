import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { asEgressError, EgressError } from "./egress-error.ts";
import { checkAddress, type Judge } from "./policy.ts";

/** All addresses of a name, in the order to try them. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** A name's addresses, all of them allowed; never empty. Each call asks again. */
export type CheckedResolver = (hostname: string) => Promise<readonly CheckedAddress[]>;

/** The system's resolver, so hosts files and container names work as operators expect. */
export const systemResolver: Resolver = async (hostname) => {
  const found = await systemLookup(hostname, { all: true, order: "verbatim" });
  return found.map((each) => each.address);
};

/**
 * One refused address refuses the name: an attacker who can add a private address to a public one
 * must not have the choice of which is dialled. An address is its own answer, without a query.
 */
export function createCheckedResolver(judge: Judge, resolver: Resolver): CheckedResolver {
  return async (hostname) => {
    const answers = isIP(hostname) === 0 ? await ask(resolver, hostname) : [hostname];
    if (answers.length === 0) throw new EgressError("dns", "the host has no address");
    return answers.map((address) => ({ address, family: checkAddress(judge, address).family }));
  };
}

/** The same in the form that `net.connect` and `http.request` take as `lookup`. */
export function createLookup(resolve: CheckedResolver): LookupFunction {
  return (hostname, options, callback) => {
    const wanted = familyOf(options.family);
    resolve(hostname)
      .then((all) => {
        const usable = all.filter((each) => wanted === 0 || each.family === wanted);
        const [first] = usable;
        if (first === undefined) throw new EgressError("dns", "the host has no such address");
        return { usable, first };
      })
      .then(
        ({ usable, first }) => {
          if (options.all) callback(null, [...usable]);
          else callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, []),
      );
  };
}

async function ask(resolver: Resolver, hostname: string): Promise<readonly string[]> {
  try {
    return await resolver(hostname);
  } catch (error) {
    throw asEgressError(error, "dns", "the host could not be resolved");
  }
}

function familyOf(family: number | "IPv4" | "IPv6" | undefined): number {
  if (family === "IPv4") return 4;
  return family === "IPv6" ? 6 : (family ?? 0);
}
