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

/** What a match is worth, by where it is; a whole word counts twice as much as its beginning. */
const worth = { heading: 40, page: 12, text: 4 } as const;

/** The best entries for what was typed, best first. Every word must be found; the last may be begun. */
export function search(entries: readonly SearchEntry[], typed: string, most = 12): readonly Hit[] {
  const words = wordsOf(typed);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most);
}

/** Codes and variables stay whole: `certificate_failed` is one word. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function scoreOf(entry: SearchEntry, words: readonly string[]): number {
  let total = 0;
  for (const word of words) {
    const heading = placeScore(entry.heading, word) * worth.heading;
    const page = placeScore(entry.page, word) * worth.page;
    const text = placeScore(entry.text, word) * worth.text;
    const best = heading + page + text;
    if (best === 0) return 0;
    total += best;
  }
  // Of two sections that say the same, the shorter one is about it.
  return total / (1 + Math.log10(1 + entry.text.length / 400));
}

/** 2 for the word itself, 1 for a word that begins with it, ½ inside of one, and a little for more. */
function placeScore(place: string, word: string): number {
  let best = 0;
  let times = 0;
  for (const found of wordsOf(place)) {
    const value = matchValue(found, word);
    if (value > 0) times += 1;
    best = Math.max(best, value);
  }
  return best === 0 ? 0 : best + Math.min(times - 1, 4) * 0.1;
}

function matchValue(found: string, word: string): number {
  if (found === word) return 2;
  if (found.startsWith(word)) return 1;
  // A part of a code, such as `timeout` of `dns_timeout`; two letters would be found everywhere.
  return word.length > 2 && found.includes(word) ? 0.5 : 0;
}

/** A stretch of text around the first word that is found in it. */
export function excerpt(text: string, typed: string, length = 140): string {
  const lower = text.toLowerCase();
  const places = wordsOf(typed)
    .map((word) => lower.indexOf(word))
    .filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = first < length / 2 ? 0 : text.lastIndexOf(" ", first - length / 4) + 1 || 0;
  const isWhole = start + length >= text.length;
  const end = isWhole ? text.length : text.lastIndexOf(" ", start + length);
  const piece = text.slice(start, end > start ? end : start + length).trim();
  return `${start > 0 ? "… " : ""}${piece}${isWhole ? "" : " …"}`;
}
