/** The host of a URL that somebody pasted into a search; any other text as it is. */
export function searchedText(text: string): string {
  const trimmed = text.trim();
  const host = /^(?:https?:)?\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(trimmed)?.[1];
  const bare = /^([^\s/?#@:]+\.[^\s/?#@:]+)(?::\d+)?[/?#]/.exec(trimmed)?.[1];
  return host ?? bare ?? trimmed;
}
