/**
 * The server's five-letter code, or the system's name, of what went wrong; null when there is none.
 */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}
