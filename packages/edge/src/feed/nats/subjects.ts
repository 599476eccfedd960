/**
 * One stream with the newest value of each subject. Edges follow `state` and read certificates as
 * they are asked for. Names are encoded, because a hostname has dots and may begin with `*`.
 */
export const streamName = "MOORING_EDGE";
export const streamSubjects = "mooring.edge.>";
export const stateSubjects = "mooring.edge.state.>";
export const hostSubjects = "mooring.edge.state.host.>";
export const applicationSubjects = "mooring.edge.state.application.>";
export const certificateSubjects = "mooring.edge.certificate.>";

/** How far the stream has got, and who writes it. */
export const progressSubject = "mooring.edge.state.progress";
export const ticketKeysSubject = "mooring.edge.state.keys.ticket";
export const assertionKeysSubject = "mooring.edge.state.keys.assertion";

/**
 * Failing and serving origins; not in the stream, because who misses one reads all of them later.
 */
export const originsSubject = "mooring.news.origins";

/**
 * What edges ask those who have the database; one of them answers. Operators permit these subjects
 * by name.
 */
export const requestSubject = (verb: RequestVerb): string => `mooring.desk.${verb}`;
export const requestQueue = "mooring-desk";
export const requestVerbs = [
  "order",
  "is-expected",
  "http-challenge",
  "tls-challenge",
  "report-origins",
  "failing-origins",
  "recheck",
  "presence",
  "leave",
  "report-traffic",
] as const;
export type RequestVerb = (typeof requestVerbs)[number];

export const hostSubject = (hostname: string): string =>
  `mooring.edge.state.host.${coded(hostname)}`;
export const applicationSubject = (id: string): string => `mooring.edge.state.application.${id}`;
export const certificateSubject = (hostname: string): string =>
  `mooring.edge.certificate.${coded(hostname)}`;

/** The hostname in the subject of a host or a certificate. */
export function parseHostname(subject: string): string {
  const last = subject.slice(subject.lastIndexOf(".") + 1);
  return Buffer.from(last, "base64url").toString("utf8");
}

function coded(hostname: string): string {
  return Buffer.from(hostname).toString("base64url");
}
