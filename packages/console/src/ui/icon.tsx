/** Icons of one stroke in a square of 16; decoration, so hidden from assistive technology. */
const shapes = {
  overview: "M2.5 9.5h3v4h-3zM6.5 5.5h3v8h-3zM10.5 2.5h3v11h-3z",
  globe:
    "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M2 8h12M8 2c2 2 2.5 4 2.5 6S10 12 8 14M8 2C6 4 5.5 6 5.5 8S6 12 8 14",
  webhook:
    "M5.5 7a2.5 2.5 0 1 1 4-1.5L12 10M4.5 8 3 10.5a2 2 0 1 0 3.5 1.5h4.5M10 12a2 2 0 1 0 1.5-2",
  app: "M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9H7v4.5H2.5zM9 9h4.5v4.5H9z",
  people:
    "M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6M1.5 13.5c.4-2.4 2.2-3.8 4.5-3.8s4.1 1.4 4.5 3.8M10.5 3.2a2.2 2.2 0 0 1 0 4.1M12 9.9c1.4.5 2.3 1.8 2.5 3.6",
  customer:
    "M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8M2.8 13.6C3.3 11 5.3 9.8 8 9.8s4.7 1.2 5.2 3.8",
  audit: "M4 2.5h6l2.5 2.5v8.5H4zM6 7h4M6 9.5h4M6 12h2",
  usage: "M2.5 13.5V2.5M2.5 13.5h11M5 11l2.5-3.5 2.5 2 3-5",
  traffic: "M2.5 13.5V8M6.2 13.5v-7M9.8 13.5V10M13.5 13.5v-11",
  settings:
    "M8 5.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4M8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M3.6 12.4 5 11M11 5l1.4-1.4",
  operator: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.5 10.5l3 3",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  check: "M3 8.5l3.2 3.2L13 4.8",
  cross: "M4 4l8 8M12 4l-8 8",
  warning: "M8 2.5 14.2 13.5H1.8zM8 6.5v3M8 11.5h.01",
  info: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 7.5v3.5M8 5h.01",
  clock: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 5v3l2 1.5",
  refresh: "M13.5 8A5.5 5.5 0 1 1 11.7 4M13.5 2.5V5h-2.5",
  share:
    "M6 8.5l4.5-3M6 7.5l4.5 3M4.5 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6M11.8 2.7a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6M11.8 9.7a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  down: "M4 6l4 4 4-4",
  external: "M9 2.5h4.5V7M13.5 2.5 7 9M6.5 3.5h-4v10h10v-4",
  lock: "M4 7.5h8v6H4zM5.5 7.5V5.5a2.5 2.5 0 0 1 5 0v2",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  filter: "M2.5 3.5h11L9.5 8.5v4l-3 1.5V8.5z",
  plus: "M8 3v10M3 8h10",
  key: "M6 10.5a3.5 3.5 0 1 1 2.8-1.4L13.5 13.5M11 11l1.5-1.5",
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
