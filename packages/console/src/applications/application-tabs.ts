export const applicationTabs = [
  ["origins", "Origins"],
  ["widget", "Brand and widget"],
  ["records", "Records"],
  ["edge", "Edge"],
  ["traffic", "Traffic"],
  ["keys", "API keys"],
  ["credentials", "DNS credentials"],
] as const;

export type ApplicationTab = (typeof applicationTabs)[number][0];
