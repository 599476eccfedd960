import { synonyms } from "./synonyms.ts";

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

/** A match of another word for the same. */
const synonymWeight = 0.8;

/**
 * The best entries for a query, best first. Every word must match, at least in part: itself, its
 * stem, or what the guide calls it.
 */
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
    const others = alternatives(word).map((all) => synonymWeight * allScore(entry, all));
    const best = Math.max(wordScore(entry, word), ...others);
    if (best === 0) return 0;
    total += best;
  }
  // Of two sections with the same matches, the shorter one comes first.
  return total / (1 + Math.log10(1 + entry.text.length / 400));
}

/** What else a word stands for, each as the words that must all match. */
function alternatives(word: string): readonly (readonly string[])[] {
  const stem = /^(.{4,}?)(?:s|es|ed|ing)$/u.exec(word)?.[1];
  const known = Object.hasOwn(synonyms, word) ? (synonyms[word] ?? []) : [];
  return [...(stem === undefined ? [] : [[stem]]), ...known.map(tokenize)];
}

/** The words of a query, and those for which they stand: what a hit may have been found by. */
export function searchedWords(query: string): readonly string[] {
  return tokenize(query).flatMap((word) => [word, ...alternatives(word).flat()]);
}

function allScore(entry: SearchEntry, words: readonly string[]): number {
  const scores = words.map((word) => wordScore(entry, word));
  return scores.includes(0) ? 0 : scores.reduce((sum, one) => sum + one, 0) / scores.length;
}

function wordScore(entry: SearchEntry, word: string): number {
  return (
    fieldScore(entry.heading, word) * weights.heading +
    fieldScore(entry.page, word) * weights.page +
    fieldScore(entry.text, word) * weights.text
  );
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
  const positions = searchedWords(query)
    .map((word) => lower.indexOf(word))
    .filter((at) => at >= 0);
  const first = positions.length === 0 ? 0 : Math.min(...positions);
  const start = first < length / 2 ? 0 : text.lastIndexOf(" ", first - length / 4) + 1 || 0;
  const isWhole = start + length >= text.length;
  const end = isWhole ? text.length : text.lastIndexOf(" ", start + length);
  const piece = text.slice(start, end > start ? end : start + length).trim();
  return `${start > 0 ? "… " : ""}${piece}${isWhole ? "" : " …"}`;
}
