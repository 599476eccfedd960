/** Anchors as code hosts make them, so that a link works in the repository and on the page alike. */
export function createSlugger(): (text: string) => string {
  const taken = new Map<string, number>();
  return (text) => {
    const base = slugOf(text);
    const before = taken.get(base);
    taken.set(base, (before ?? 0) + 1);
    return before === undefined ? base : `${base}-${before}`;
  };
}

function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
