import type { Answer } from "dns-packet";
import type { Behaviour, ScriptedQuestion } from "./scripted-dns.ts";

/** Answers from a list of records like an authoritative server: CNAMEs, NODATA, NXDOMAIN, SOA. */
export function answerFrom(
  records: readonly Answer[],
  options: { readonly soa?: string; readonly authoritative?: boolean } = {},
): (question: Pick<ScriptedQuestion, "name" | "type">) => Behaviour {
  const at = (name: string) => records.filter((record) => record.name.toLowerCase() === name);
  return ({ name, type }) => {
    const answers: Answer[] = [];
    let owner = name;
    for (let hop = 0; hop < 32; hop += 1) {
      const requested = at(owner).filter((record) => record.type === type);
      if (requested.length > 0) {
        return {
          answers: [...answers, ...requested],
          authoritative: options.authoritative ?? true,
        };
      }
      const alias = at(owner).find((record) => record.type === "CNAME");
      if (alias === undefined || !("data" in alias) || typeof alias.data !== "string") break;
      answers.push(alias);
      owner = alias.data.toLowerCase();
    }
    const exists = records.some((record) => isAtOrBelow(record.name.toLowerCase(), owner));
    return {
      answers,
      rcode: exists ? 0 : 3,
      authoritative: options.authoritative ?? true,
      authorities: [soaRecord(options.soa ?? "example")],
    };
  };
}

function isAtOrBelow(name: string, ancestor: string): boolean {
  return name === ancestor || name.endsWith(`.${ancestor}`);
}

export function soaRecord(zone: string, ttl = 60, minimum = 30): Answer {
  return {
    name: zone,
    type: "SOA",
    ttl,
    data: {
      mname: `ns1.${zone}`,
      rname: `hostmaster.${zone}`,
      serial: 1,
      refresh: 3600,
      retry: 600,
      expire: 604_800,
      minimum,
    },
  };
}

export function a(name: string, data: string, ttl = 60): Answer {
  return { name, type: "A", ttl, data };
}

export function aaaa(name: string, data: string, ttl = 60): Answer {
  return { name, type: "AAAA", ttl, data };
}

export function ns(name: string, data: string, ttl = 60): Answer {
  return { name, type: "NS", ttl, data };
}

export function cname(name: string, data: string, ttl = 60): Answer {
  return { name, type: "CNAME", ttl, data };
}

export function txt(name: string, data: string, ttl = 60): Answer {
  return { name, type: "TXT", ttl, data: [data] };
}
