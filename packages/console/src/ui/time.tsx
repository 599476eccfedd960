import { useEffect, useState } from "react";

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** `3 d`, `12 min`: the largest unit that fits. */
export function shortDuration(seconds: number): string {
  const size = Math.max(0, Math.round(Math.abs(seconds)));
  const [unit, length] = units.find(([, length]) => size >= length) ?? ["s", 1];
  return `${Math.floor(size / length)} ${unit}`;
}

const absolute = new Intl.DateTimeFormat(undefined, {
  dateStyle: "medium",
  timeStyle: "medium",
});

export function fullTime(iso: string): string {
  return absolute.format(new Date(iso));
}

/** A moment, as its distance from now; the exact time is its title. */
export function Ago({ at, bare = false }: { readonly at: string; readonly bare?: boolean }) {
  const now = useNow();
  const seconds = (now - Date.parse(at)) / 1_000;
  const text = shortDuration(seconds);
  const phrase = seconds >= 0 ? `${text} ago` : `in ${text}`;
  return (
    <time dateTime={at} title={fullTime(at)}>
      {bare ? text : phrase}
    </time>
  );
}

export function At({ at }: { readonly at: string }) {
  return <time dateTime={at}>{fullTime(at)}</time>;
}

/** The time, renewed often enough for ages in minutes. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
