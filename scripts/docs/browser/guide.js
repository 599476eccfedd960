import { setUpCopying } from "./copy.js";
import { setUpSearch } from "./search.js";

setUpCopying();
setUpSearch();

// Lists that stand beside the text are open; a window that grows must not keep them closed.
for (const list of document.querySelectorAll("details[data-from]")) {
  matchMedia(`(min-width: ${list.dataset.from})`).addEventListener("change", ({ matches }) => {
    list.open = matches;
  });
}
