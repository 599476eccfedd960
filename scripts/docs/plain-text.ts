import type { Token, Tokens } from "marked";

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
}

/** The words of a piece of text, without its marks. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map(wordsOf).join("");
}

function wordsOf(token: Token): string {
  switch (token.type) {
    case "html":
      return "";
    case "table": {
      const rows = [token["header"], ...token["rows"]] as readonly (readonly Tokens.TableCell[])[];
      return rows.flatMap((row) => row.map((cell) => `${plainText(cell.tokens)} `)).join("");
    }
    case "list":
      return (token["items"] as readonly Token[]).map((item) => `${wordsOf(item)} `).join("");
    default: {
      const inner: unknown = "tokens" in token ? token["tokens"] : null;
      if (Array.isArray(inner)) return `${plainText(inner)}${isBlock(token) ? " " : ""}`;
      return "text" in token ? withoutEntities(String(token["text"])) : "";
    }
  }
}

function isBlock(token: Token): boolean {
  return token.type === "paragraph" || token.type === "list_item" || token.type === "blockquote";
}

/** The lexer leaves entities in inline text as they were written. */
function withoutEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => {
    const found = Object.entries(escapes).find(([, escaped]) => escaped === entity);
    return found?.[0] ?? entity;
  });
}
