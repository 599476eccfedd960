interface Flight<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  passengers: number;
}

/**
 * Callers with the same key share one run while it is under way; nothing is kept afterwards. The run
 * is aborted only when every caller has gone; a caller who goes rejects at once with its own reason.
 */
export function createCoalescer<T>(): (
  key: string,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
) => Promise<T> {
  const flights = new Map<string, Flight<T>>();
  return (key, signal, run) => {
    if (signal.aborted) return Promise.reject(signal.reason);
    const flight = flights.get(key) ?? takeOff(flights, key, run);
    return board(flights, key, flight, signal);
  };
}

function takeOff<T>(
  flights: Map<string, Flight<T>>,
  key: string,
  run: (signal: AbortSignal) => Promise<T>,
): Flight<T> {
  const abort = new AbortController();
  const flight: Flight<T> = { result: run(abort.signal), abort, passengers: 0 };
  flights.set(key, flight);
  return flight;
}

function board<T>(
  flights: Map<string, Flight<T>>,
  key: string,
  flight: Flight<T>,
  signal: AbortSignal,
): Promise<T> {
  flight.passengers += 1;
  return new Promise<T>((resolve, reject) => {
    const leave = () => {
      signal.removeEventListener("abort", onAbort);
      flight.passengers -= 1;
      if (flights.get(key) === flight && flight.passengers === 0) flights.delete(key);
    };
    const onAbort = () => {
      leave();
      if (flight.passengers === 0) flight.abort.abort(signal.reason);
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    flight.result.then(
      (value) => {
        if (signal.aborted) return;
        leave();
        flights.delete(key);
        resolve(value);
      },
      (error: unknown) => {
        if (signal.aborted) return;
        leave();
        flights.delete(key);
        reject(error);
      },
    );
  });
}
