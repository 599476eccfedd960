import type { RenderedPage } from "./markdown.ts";
import type { PageEntry } from "./navigation.ts";
import type { SearchEntry } from "./score.ts";

/** The sections of a page as the search knows them; one without text is still found by its heading. */
export function searchEntries(entry: PageEntry, page: RenderedPage): readonly SearchEntry[] {
  return page.sections.map(({ heading, text }) => ({
    page: page.title,
    heading: heading.text,
    url: heading.depth === 1 ? `${entry.slug}.html` : `${entry.slug}.html#${heading.id}`,
    text,
  }));
}
