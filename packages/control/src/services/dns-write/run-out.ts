/** The time for the work is over, as opposed to the process being stopped. */
export function hasRunOut({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === "TimeoutError";
}
