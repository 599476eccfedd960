import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { References } from "./markdown.ts";
import { pages, shownElsewhere } from "./navigation.ts";

/** A link from one page to an anchor of another, looked at once all pages are known. */
export interface Crossing {
  readonly from: string;
  readonly slug: string;
  readonly anchor: string;
}

export interface Gathered {
  readonly crossings: Crossing[];
  /** Files of the repository that pages link to or show: output name → source. */
  readonly files: Map<string, string>;
  readonly problems: string[];
}

const isElsewhere = /^(?:https?:|mailto:)/;

export function referencesOf(root: string, source: string, gathered: Gathered): References {
  const resolve = (href: string) => {
    const [file = "", anchor = ""] = href.split("#");
    const target = file === "" ? source : path.posix.join(path.posix.dirname(source), file);
    return { target, anchor };
  };
  const problem = (what: string): void => {
    gathered.problems.push(`${source}: ${what}`);
  };
  return {
    link(href) {
      if (isElsewhere.test(href)) return href;
      const { target, anchor } = resolve(href);
      const page = pageOf(target);
      if (page) {
        if (anchor !== "") gathered.crossings.push({ from: source, slug: page.slug, anchor });
        return `${page.slug}.html${anchor === "" ? "" : `#${anchor}`}`;
      }
      if (!isFile(root, target)) problem(`the link ${href} leads nowhere`);
      // As text: a browser shows it, whatever kind of file it is.
      const name = `files/${target.replace(/(^|\/)\./g, "$1dot-")}.txt`;
      gathered.files.set(name, target);
      return name;
    },
    image(href) {
      if (isElsewhere.test(href)) problem(`the picture ${href} is on another host`);
      const { target } = resolve(href);
      if (!isFile(root, target)) {
        problem(`there is no picture ${href}`);
        return { src: href };
      }
      if (target.endsWith(".svg")) return { svg: readFileSync(path.join(root, target), "utf8") };
      const name = `pictures/${path.posix.basename(target)}`;
      gathered.files.set(name, target);
      return { src: name };
    },
  };
}

function pageOf(target: string) {
  const source = shownElsewhere[target] ?? target;
  return pages.find((page) => page.source === source);
}

function isFile(root: string, target: string): boolean {
  const file = path.join(root, target);
  return existsSync(file) && statSync(file).isFile();
}
