/** A host name with at least two labels, in ASCII; no address. */
export function isPublicHostName(text: string): boolean {
  const isName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i.test(text);
  return isName && text.length <= 253;
}
