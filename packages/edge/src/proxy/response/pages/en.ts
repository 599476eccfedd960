/** Title and text of the page of each status, and of what replaces a status's. */
const pages = {
  400: ["Bad request", "Your browser or app sent a request that cannot be understood."],
  401: ["Sign in", "This site is shown to those who sign in."],
  403: ["No access", "This site cannot be reached from the network that you come from."],
  404: ["Not set up yet", "This domain is connected, but nothing is published here yet."],
  405: ["Method not allowed", "This kind of request is not served here."],
  408: ["Request timed out", "The request took too long to arrive."],
  413: ["Upload too large", "What you sent is larger than what is accepted here."],
  417: ["Expectation failed", "The request expects something that is not offered here."],
  421: ["Wrong address", "This connection was opened for another name. Please reload the page."],
  429: ["Too many requests", "You have sent too many requests. Please try again in a moment."],
  431: ["Request too large", "The request's headers are larger than what is accepted here."],
  501: ["Not supported", "What the request asks for is not served here."],
  502: ["The site cannot be reached", "The server behind this domain did not answer properly."],
  503: ["Too busy", "There are too many requests right now. Please try again in a moment."],
  504: ["The site takes too long", "The server behind this domain did not answer in time."],
  505: ["Version not supported", "This version of HTTP is not served here."],
  508: [
    "Endless loop",
    "The server behind this domain sends requests back to where they come from.",
  ],
  /** Instead of 503: says neither who stopped serving the name nor why. */
  maintenance: [
    "Under maintenance",
    "This site is not available at the moment. Please try again later.",
  ],
  /** Instead of 421: a name that resolves to us and is not connected. */
  not_connected: [
    "Not connected",
    "This name leads here, but no site is connected to it. If it is yours, connect it, or remove its DNS record.",
  ],
} as const;

export type PageName = keyof typeof pages;

export interface PageTexts {
  readonly reference: string;
  readonly pages: Readonly<Record<PageName, readonly [title: string, text: string]>>;
}

export const en: PageTexts = { reference: "reference", pages };
