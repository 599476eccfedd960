import fc from "fast-check";

/** One change to a text. */
export interface Mutation {
  readonly kind: "flip" | "set" | "cut" | "insert" | "swap_case" | "double" | "truncate" | "pad";
  readonly at: number;
  readonly value: number;
}

export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record<Mutation>({
    kind: fc.constantFrom(
      ...(["flip", "set", "cut", "insert", "swap_case", "double", "truncate", "pad"] as const),
    ),
    at: fc.nat(4_096),
    value: fc.nat(255),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Characters of credentials first, then ones that decoders ignore or fold. */
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \t\n\0~%";

export function mutated(text: string, list: readonly Mutation[]): string {
  return list.reduce(changed, text);
}

function changed(text: string, { kind, at, value }: Mutation): string {
  const position = text.length === 0 ? 0 : at % text.length;
  const [before, after] = [text.slice(0, position), text.slice(position + 1)];
  const one = text[position] ?? "";
  const other = alphabet[value % alphabet.length] ?? "A";
  switch (kind) {
    case "flip":
      return before + String.fromCharCode(one.charCodeAt(0) ^ (1 << (value % 7)) || 65) + after;
    case "set":
      return before + other + after;
    case "cut":
      return before + after;
    case "insert":
      return before + other + one + after;
    case "swap_case":
      return before + withOtherCase(one) + after;
    case "double":
      return text + text;
    case "truncate":
      return before;
    case "pad":
      return text + "=".repeat(1 + (value % 3));
  }
}

/** Of ASCII alone: another letter's case can lie outside of latin1, in which bytes are written. */
function withOtherCase(character: string): string {
  if (!/^[a-z]$/i.test(character)) return character;
  return String.fromCharCode(character.charCodeAt(0) ^ 0x20);
}
