import { type Html, html } from "../pages/html.ts";

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** What the list shows of an OpenAPI document. */
export interface ListedDocument {
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths?: Paths;
  readonly webhooks?: Paths;
}

interface Row {
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** The address of the operation in the drawn reference. */
  readonly anchor: string;
}

const methods = ["get", "post", "put", "patch", "delete"];

/**
 * Every operation and event of the document, by tag, for the time until the reference is drawn, and
 * for readers without a script.
 */
export function endpointList(document: ListedDocument): Html {
  const rows = [
    ...rowsIn(document.paths ?? {}, ({ operationId = "" }) => operationId),
    ...rowsIn(document.webhooks ?? {}, (_, name) => `webhook/POST/${name.replaceAll("_", "-")}`),
  ];
  const sections = (document.tags ?? []).map(({ name, description = "" }) => {
    const own = rows.filter(({ tag }) => tag === name);
    return html`<section aria-labelledby="${slugify(name)}">
<h2 id="${slugify(name)}">${name}</h2>
<p>${plainText(description)}</p>
<ul>
${own.map(rowHtml)}</ul>
</section>
`;
  });
  return html`${sections}`;
}

function rowsIn(
  paths: Paths,
  anchorEnd: (operation: Operation, path: string) => string,
): readonly Row[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const { summary = "", tags: [tag = ""] = [] } = operation;
      const anchor = `tag/${slugify(tag)}/${anchorEnd(operation, path)}`;
      return [{ tag, method: method.toUpperCase(), path, summary, anchor }];
    }),
  );
}

function rowHtml({ method, path, summary, anchor }: Row): Html {
  return html`<li id="${anchor}"><a href="#${anchor}"><b>${method}</b> <code>${path}</code> <span>${summary}</span></a></li>
`;
}

/** As the reference's addresses have it: `Members and sessions` is `members-and-sessions`. */
function slugify(tag: string): string {
  return tag.toLowerCase().replaceAll(" ", "-");
}

/** Descriptions are Markdown; of it they use code only. */
function plainText(markdown: string): string {
  return markdown.replaceAll("`", "");
}
