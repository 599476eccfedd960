/** Markup that is safe to send: only `html` makes it, and it escapes every value. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | null | readonly Html[];

/** A template: its values are text, unless they are `Html`. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = strings.reduce(
    (before, text, index) => before + renderPart(parts[index - 1] ?? null) + text,
  );
  return { markup };
}

function renderPart(part: Part): string {
  if (part === null) return "";
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
