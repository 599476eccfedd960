import type { ZoneLine } from "../../clients/connecting.ts";

/** Where the requests and the page of a product were read. */
export interface Source {
  readonly repository: string;
  readonly commit: string;
  readonly files: readonly string[];
}

/** A request as a product makes it, with the vendor's address written out. */
export interface VendorCall {
  readonly method: "DELETE" | "GET" | "PATCH" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer as products read it: the body is parsed and its fields are taken for what they are. */
export interface VendorAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: products read untyped JSON
  readonly body: any;
}

/** What the operator of a product has set. */
export interface Installation {
  send(call: VendorCall): Promise<VendorAnswer>;
  readonly token: string;
  /** The application, where the product names a project or a zone. */
  readonly project: string;
  /** What a page shows that has the addresses written in it. */
  readonly fixed: { readonly cname: string; readonly ipv4: string };
}

/** What a customer reads on the product's page. */
export interface Shown {
  readonly status: string;
  /** Everything that the page asks for, in text too. */
  readonly records: readonly ZoneLine[];
}

export interface Page {
  add(hostname: string): Promise<void>;
  /** Opens the page, with the requests that it makes. */
  read(hostname: string): Promise<Shown>;
  /** The job that runs by itself: of each name whether the product takes it for connected. */
  readonly check: ((hostnames: readonly string[]) => Promise<readonly boolean[]>) | null;
  remove(hostname: string): Promise<void>;
}

export interface Product {
  readonly name: string;
  readonly source: Source;
  /**
   * Where its page has the target of the CNAME from: the API's answers, a setting that names the
   * edge, or a name of the operator's that the application's record template has too. Null: the
   * names are the operator's, whose DNS the application may write.
   */
  readonly target: "answers" | "edge" | "own" | null;
  /** The status of a name that works, on its page. */
  readonly connected: string;
  open(installation: Installation): Page;
}

/** Zones in these tests have two labels. */
export function registrableDomain(hostname: string): string {
  return hostname.split(".").slice(-2).join(".");
}

/** The host that a provider's form makes of a name relative to the zone. */
export function hostBelow(apex: string, name: string): string {
  return name === "@" ? apex : `${name}.${apex}`;
}
