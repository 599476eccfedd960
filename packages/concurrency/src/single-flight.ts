/**
 * The result of `run`, which callers with the same key share while it is in flight; the `run` of
 * those that join is not called. Nothing is cached afterwards: neither a result nor a failure,
 * which all of them get.
 *
 * A caller whose signal aborts rejects at once with its own reason, and does not disturb the
 * others. The signal that `run` gets aborts when its last caller has left; who calls after that
 * starts another run. A caller without a signal (null) never leaves, so that the run is never
 * aborted.
 */
export type SingleFlight<T> = (
  key: string,
  signal: AbortSignal | null,
  run: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

interface Flight<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  /** The next caller starts another run. */
  readonly end: () => void;
  callers: number;
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();
  return (key, signal, run) => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return join(flights.get(key) ?? start(flights, key, run), signal);
  };
}

function start<T>(
  flights: Map<string, Flight<T>>,
  key: string,
  run: (signal: AbortSignal) => Promise<T>,
): Flight<T> {
  const abort = new AbortController();
  const end = (): void => {
    if (flights.get(key) === flight) flights.delete(key);
  };
  const flight: Flight<T> = { result: run(abort.signal), abort, end, callers: 0 };
  flights.set(key, flight);
  // First of all that wait for the result: none of them can join a run that has ended.
  flight.result.then(end, end);
  return flight;
}

function join<T>(flight: Flight<T>, signal: AbortSignal | null): Promise<T> {
  flight.callers += 1;
  if (signal === null) return flight.result;
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => {
      flight.callers -= 1;
      if (flight.callers === 0) {
        flight.end();
        flight.abort.abort(signal.reason);
      }
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    flight.result.then(
      (value) => {
        signal.removeEventListener("abort", onAbort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", onAbort);
        reject(error);
      },
    );
  });
}
