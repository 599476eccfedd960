export interface SearchEntry {
  readonly page: string;
  readonly heading: string;
  readonly url: string;
  readonly text: string;
}

export interface Hit {
  readonly entry: SearchEntry;
  readonly score: number;
}

/** The weight of a match by where it is. */
const weights = { heading: 40, page: 12, text: 4 } as const;

/** The best entries for a query, best first. Every word must match, at least in part. */
export function search(
  entries: readonly SearchEntry[],
  query: string,
  maxHits = 12,
): readonly Hit[] {
  const words = tokenize(query);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreEntry(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxHits);
}

/** Codes and variables are one word each: `certificate_failed`. */
export function tokenize(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function scoreEntry(entry: SearchEntry, words: readonly string[]): number {
  let total = 0;
  for (const word of words) {
    const heading = fieldScore(entry.heading, word) * weights.heading;
    const page = fieldScore(entry.page, word) * weights.page;
    const text = fieldScore(entry.text, word) * weights.text;
    const best = heading + page + text;
    if (best === 0) return 0;
    total += best;
  }
  // Of two sections with the same matches, the shorter one comes first.
  return total / (1 + Math.log10(1 + entry.text.length / 400));
}

/**
 * 2 for the whole word, 1 for the beginning of a word, ½ inside a word, and 0.1 for each further
 * match.
 */
function fieldScore(field: string, word: string): number {
  let best = 0;
  let times = 0;
  for (const found of tokenize(field)) {
    const value = matchValue(found, word);
    if (value > 0) times += 1;
    best = Math.max(best, value);
  }
  return best === 0 ? 0 : best + Math.min(times - 1, 4) * 0.1;
}

function matchValue(found: string, word: string): number {
  if (found === word) return 2;
  if (found.startsWith(word)) return 1;
  // Inside a code, such as `timeout` in `dns_timeout`. One or two letters would match everywhere.
  return word.length > 2 && found.includes(word) ? 0.5 : 0;
}

/** About `length` characters around the first match. */
export function excerpt(text: string, query: string, length = 140): string {
  const lower = text.toLowerCase();
  const positions = tokenize(query)
    .map((word) => lower.indexOf(word))
    .filter((at) => at >= 0);
  const first = positions.length === 0 ? 0 : Math.min(...positions);
  const start = first < length / 2 ? 0 : text.lastIndexOf(" ", first - length / 4) + 1 || 0;
  const isWhole = start + length >= text.length;
  const end = isWhole ? text.length : text.lastIndexOf(" ", start + length);
  const piece = text.slice(start, end > start ? end : start + length).trim();
  return `${start > 0 ? "… " : ""}${piece}${isWhole ? "" : " …"}`;
}
