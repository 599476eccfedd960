const storageKey = "mooring-guide-tab";

/**
 * Makes tabs of neighbouring blocks of code that are alternatives. Without a script each is shown
 * under its name. A choice holds for all groups of the page that have it, and for the next visit.
 */
export function setUpTabs() {
  const groups = [...groupsOf(document.querySelectorAll(".code[data-tab]"))].map(makeGroup);
  const choose = (name) => {
    for (const group of groups) group.show(name);
  };
  for (const { tabs } of groups) {
    for (const tab of tabs) {
      tab.addEventListener("click", () => {
        choose(tab.textContent);
        remember(tab.textContent);
      });
    }
  }
  choose(remembered());
}

/** Runs of blocks without anything between them. */
function* groupsOf(blocks) {
  let run = [];
  for (const block of blocks) {
    if (run.length > 0 && block.previousElementSibling !== run.at(-1)) {
      yield run;
      run = [];
    }
    run.push(block);
  }
  if (run.length > 0) yield run;
}

let count = 0;

function makeGroup(blocks) {
  const names = [...new Set(blocks.map((block) => block.dataset.tab))];
  const list = document.createElement("div");
  list.className = "tabs";
  list.role = "tablist";
  list.ariaLabel = "Framework";
  blocks[0].before(list);
  count += 1;
  const tabs = [];
  const panels = [];
  for (const [index, name] of names.entries()) {
    const tab = document.createElement("button");
    const panel = document.createElement("div");
    tab.type = "button";
    tab.role = "tab";
    tab.id = `tab-${count}-${index}`;
    tab.textContent = name;
    panel.role = "tabpanel";
    panel.id = `panel-${count}-${index}`;
    panel.setAttribute("aria-labelledby", tab.id);
    tab.setAttribute("aria-controls", panel.id);
    tabs.push(tab);
    panels.push(panel);
  }
  list.after(...panels);
  for (const block of blocks) panels[names.indexOf(block.dataset.tab)].append(block);
  list.append(...tabs);
  list.addEventListener("keydown", (event) => moveFocus(event, tabs));
  return {
    tabs,
    show(name) {
      const requested = names.includes(name) ? name : (shownIn(tabs) ?? names[0]);
      for (const [index, tab] of tabs.entries()) {
        const isShown = names[index] === requested;
        tab.ariaSelected = String(isShown);
        tab.tabIndex = isShown ? 0 : -1;
        panels[index].hidden = !isShown;
      }
    },
  };
}

function shownIn(tabs) {
  return tabs.find((tab) => tab.ariaSelected === "true")?.textContent;
}

function moveFocus(event, tabs) {
  const at = tabs.indexOf(document.activeElement);
  const last = tabs.length - 1;
  const next = {
    ArrowLeft: at === 0 ? last : at - 1,
    ArrowRight: at === last ? 0 : at + 1,
    Home: 0,
    End: last,
  }[event.key];
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  tabs[next].focus();
  tabs[next].click();
}

/** A browser may forbid storage; then a choice holds for this page. */
function remember(name) {
  try {
    localStorage.setItem(storageKey, name);
  } catch {}
}

function remembered() {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
