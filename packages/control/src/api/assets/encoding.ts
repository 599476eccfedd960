export const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The encoding of ours that an Accept-Encoding header likes best, the smaller one among equals; null
 * for the bytes as they are (RFC 9110 section 12.5.3).
 */
export function chooseEncoding(accepted: string | undefined): Encoding | null {
  const weights = new Map((accepted ?? "").split(",").map(parse));
  const weightOf = (name: string): number => weights.get(name) ?? weights.get("*") ?? 0;
  // What nobody has spoken of is acceptable as it is, but asked for before.
  const plain = weights.get("identity") ?? 0;
  const [best] = encodings
    .map((name) => ({ name, weight: weightOf(name) }))
    .filter(({ weight }) => weight > 0 && weight >= plain)
    .sort((a, b) => b.weight - a.weight);
  return best?.name ?? null;
}

function parse(part: string): [name: string, weight: number] {
  const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
  const given = parameters.find((text) => text.startsWith("q="));
  const weight = given === undefined ? 1 : Number(given.slice(2));
  return [name, Number.isFinite(weight) ? weight : 0];
}
