import { isIP } from "node:net";
import { isAtOrBelow, validationZoneProblem } from "@mooring/dns/lookup";
import { z } from "zod";
import { sandboxValidationZone } from "../domain/certificates/validation.ts";
import { count, flag, hostname, list, optional, port } from "./values.ts";

const address = z.string().refine((text) => isIP(text) !== 0, "expected an address");

/** The zone through which control of a domain is proven, and the listener of its name servers. */
export const validationVariables = {
  VALIDATION_ZONE: { field: "validationZone", type: optional(hostname()) },
  VALIDATION_NS: { field: "validationNameServers", type: list(hostname()).default([]) },
  /** Whether `dns-persist-01` is used where a CA offers it. */
  VALIDATION_PERSIST: { field: "validationPersist", type: flag().default(false) },
  VALIDATION_HOST: { field: "validationHosts", type: list(address).default(["::"]) },
  VALIDATION_PORT: { field: "validationPort", type: port().default(53) },
  VALIDATION_INTERNAL_PORT: { field: "validationInternalPort", type: optional(port()) },
  /** Answers a second to one network, over UDP. */
  VALIDATION_RATE_LIMIT: { field: "validationRateLimit", type: count(0, 1_000_000).default(500) },
} as const;

export function validationProblems(values: {
  readonly validationZone: string | null;
  readonly validationNameServers: readonly string[];
}): string[] {
  const { validationZone: zone, validationNameServers: nameServers } = values;
  if (zone === null) return [];
  if (isAtOrBelow(zone, "test")) {
    const expected = `VALIDATION_ZONE: of names under .test only ${sandboxValidationZone} can be used`;
    return zone === sandboxValidationZone ? [] : [expected];
  }
  if (nameServers.length === 0) return ["VALIDATION_NS: required when VALIDATION_ZONE is set"];
  const problem = validationZoneProblem({ zone, nameServers });
  return problem === null ? [] : [`VALIDATION_NS: ${problem}`];
}
