import { useState } from "react";
import type { DomainSearch, SavedView } from "./domain-search.ts";
import { readDomainSearch } from "./domain-search.ts";

/** Views that a person saved in this browser; the URL of a view is what is sent to a colleague. */
const storageKey = "mooring:views";

function readViews(): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    if (!Array.isArray(stored)) return [];
    return stored.flatMap((view: unknown) => {
      if (typeof view !== "object" || view === null) return [];
      const { name, search } = view as { readonly name?: unknown; readonly search?: unknown };
      if (typeof name !== "string" || typeof search !== "object" || search === null) return [];
      return [{ name, search: readDomainSearch(search as Record<string, unknown>) }];
    });
  } catch {
    return []; // what another version or a person wrote there is worth nothing
  }
}

export function useSavedViews() {
  const [views, setViews] = useState(readViews);
  const store = (next: readonly SavedView[]) => {
    localStorage.setItem(storageKey, JSON.stringify(next));
    setViews(next);
  };
  return {
    views,
    save(name: string, { cursor: _page, ...search }: DomainSearch) {
      store([...views.filter((view) => view.name !== name), { name, search }]);
    },
    remove(name: string) {
      store(views.filter((view) => view.name !== name));
    },
  };
}
