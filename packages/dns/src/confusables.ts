import { toUnicode } from "./name.ts";

export interface ConfusableLabel {
  readonly label: string;
  readonly kind: "mixed_script" | "latin_lookalike";
}

/** The scripts that registries sell and that are mixed for deceit; others fall into "other". */
const SCRIPTS = [
  ["Latin", /\p{scx=Latin}/u],
  ["Cyrillic", /\p{scx=Cyrillic}/u],
  ["Greek", /\p{scx=Greek}/u],
  ["Armenian", /\p{scx=Armenian}/u],
  ["Han", /\p{scx=Han}/u],
  ["Hiragana", /\p{scx=Hiragana}/u],
  ["Katakana", /\p{scx=Katakana}/u],
  ["Bopomofo", /\p{scx=Bopomofo}/u],
  ["Hangul", /\p{scx=Hangul}/u],
  ["Hebrew", /\p{scx=Hebrew}/u],
  ["Arabic", /\p{scx=Arabic}/u],
  ["Thai", /\p{scx=Thai}/u],
  ["Devanagari", /\p{scx=Devanagari}/u],
  ["Georgian", /\p{scx=Georgian}/u],
  ["Cherokee", /\p{scx=Cherokee}/u],
] as const;

/** UTS 39 §5.2 "highly restrictive": the mixtures that ordinary writing needs. */
const ORDINARY_MIXTURES: readonly (readonly string[])[] = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];

/** Letters of other scripts that pass for a Latin letter in common fonts. */
const LATIN_LOOKALIKES = /^[аеіјорсухѕԁһӏԛԝгпѵѡҽбьαινορτυωκχη0-9-]+$/u;

/** Labels that may be read as another name. A warning, not a refusal: such names exist honestly. */
export function confusables(hostname: string): readonly ConfusableLabel[] {
  return toUnicode(hostname)
    .split(".")
    .flatMap((label): readonly ConfusableLabel[] => {
      if (!/[^\0-\x7f]/.test(label)) return [];
      if (isMixedScript(label)) return [{ label, kind: "mixed_script" }];
      return LATIN_LOOKALIKES.test(label) ? [{ label, kind: "latin_lookalike" }] : [];
    });
}

function isMixedScript(label: string): boolean {
  const perCharacter = [...label].map(scriptsOf).filter((scripts) => scripts !== null);
  const single = SCRIPTS.map(([script]) => [script]);
  return ![...single, ["other"], ...ORDINARY_MIXTURES].some((allowed) =>
    perCharacter.every((scripts) => scripts.some((script) => allowed.includes(script))),
  );
}

/** Every script a character is used in; null for those that belong to all (digits, hyphen, marks). */
function scriptsOf(character: string): readonly string[] | null {
  if (/[\p{scx=Common}\p{scx=Inherited}]/u.test(character)) return null;
  const found = SCRIPTS.filter(([, pattern]) => pattern.test(character)).map(([script]) => script);
  return found.length === 0 ? ["other"] : found;
}
