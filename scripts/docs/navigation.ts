/** A page of the guide: its source and its label in the navigation. */
export interface PageEntry {
  /** From the root of the repository. */
  readonly source: string;
  /** The file's name in the output, without its ending. */
  readonly slug: string;
  readonly label: string;
}

export interface PageGroup {
  readonly title: string;
  readonly pages: readonly PageEntry[];
}

/** What to set in a product that was made for another vendor's API. */
function switching(slug: string, label: string): PageEntry {
  return { source: `docs/switch/${slug}.md`, slug: `switch-${slug}`, label };
}

function page(slug: string, label: string): PageEntry {
  return { source: `docs/${slug}.md`, slug, label };
}

/** In the order in which a newcomer needs them: understand, build, run, reference. */
export const navigation: readonly PageGroup[] = [
  {
    title: "Start",
    pages: [
      page("index", "What Mooring is"),
      page("quick-start", "Quick start"),
      page("integrate", "Integrate in ten minutes"),
      page("concepts", "Concepts"),
    ],
  },
  {
    title: "Build with it",
    pages: [
      page("widget", "The widget"),
      page("sdk", "The SDK"),
      page("console", "The console"),
      page("support", "A customer's domain does not work"),
      page("traffic", "Traffic"),
      page("webhooks", "Webhooks"),
      page("contests", "Contests over a name"),
      page("sandbox", "The sandbox"),
      page("providers", "DNS providers"),
      page("domain-connect", "Domain Connect"),
      page("delegated-validation", "Wildcards and validation"),
      page("cutover", "Moving a live domain"),
      page("email", "Email DNS"),
      page("edge", "The edge and your origin"),
      page("drop-in-apis", "Drop-in APIs"),
      page("cli", "Command line"),
      page("agents", "Agents"),
      page("terraform", "Terraform"),
    ],
  },
  {
    title: "Switch a product",
    pages: [
      switching("papermark", "Papermark"),
      switching("openstatus", "OpenStatus"),
      switching("cap", "Cap"),
      switching("dub", "Dub"),
      switching("typebot", "Typebot"),
      switching("cal-com", "Cal.com"),
      switching("logto", "Logto"),
      switching("twenty", "Twenty"),
      switching("chatwoot", "Chatwoot"),
    ],
  },
  {
    title: "Run it",
    pages: [
      page("one-container", "One container"),
      page("self-hosting", "Self-hosting"),
      page("production", "Production on Debian"),
      page("configuration", "Configuration"),
      page("caddy", "Caddy as the edge"),
      page("other-proxies", "Other proxies"),
      page("import", "Moving in"),
      page("security", "Security"),
      page("registrations", "Registrations"),
      page("operations", "Operations"),
      page("upgrading", "Upgrading"),
      page("metrics", "Metrics"),
      page("transparency", "Certificates by others"),
      page("scale", "Scale"),
    ],
  },
  {
    title: "Reference",
    pages: [
      page("troubleshooting", "Troubleshooting"),
      page("divergences", "Divergences"),
      page("edge-conformance", "Conformance of the edge"),
      { source: "bench/README.md", slug: "measurements", label: "Measurements" },
      { source: "ARCHITECTURE.md", slug: "architecture", label: "Architecture" },
      { source: "CONTRIBUTING.md", slug: "contributing", label: "Contributing" },
    ],
  },
];

export const pages: readonly PageEntry[] = navigation.flatMap((group) => group.pages);

/** Documents that are part of another page: source → the page that a link to it leads to. */
export const shownElsewhere: Readonly<Record<string, string>> = {
  "README.md": "docs/quick-start.md",
  "packages/sdk/README.md": "docs/sdk.md",
  "packages/widget/README.md": "docs/widget.md",
};
