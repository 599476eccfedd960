/**
 * Values that try to inject CSS, scripts or requests where a colour, length, URL or name is
 * expected.
 */
const evil = "https://evil.example/x";
const long = "a".repeat(5_000);

const colours: readonly unknown[] = [
  `url(${evil})`,
  `red; background-image: url(${evil})`,
  `red} * { background: url(${evil}) } x {`,
  `red</style><script>window.pwned = 1</script>`,
  "</style><img src=x onerror='window.pwned = 1'>",
  "javascript:window.pwned=1",
  "expression(window.pwned = 1)",
  `\\75 rl(${evil})`,
  `u\\72l(${evil})`,
  `image-set("${evil}" 1x)`,
  `-webkit-image-set(url(${evil}) 1x)`,
  `cross-fade(url(${evil}), red)`,
  `var(--x, url(${evil}))`,
  "env(safe-area-inset-top)",
  "attr(data-x)",
  `color-mix(in srgb, red, url(${evil}))`,
  `red; @import url(${evil});`,
  `red/*"*/;--x:url(${evil})/*"*/`,
  "rgb(0 0 0 / 0)} .panel { display: none } {",
  "#fff\u0000url(x)",
  "\u202Eder",
  long,
  { toString: "red" },
  ["red", `url(${evil})`],
  42,
];

const logos: readonly unknown[] = [
  "javascript:window.pwned=1",
  "JaVaScRiPt:window.pwned=1",
  "java\nscript:window.pwned=1",
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='window.pwned=1'/>",
  "data:text/html,<script>window.pwned=1</script>",
  "http://evil.example/logo.png",
  "//evil.example/logo.png",
  `${evil}" onerror="window.pwned=1`.replace("https:", "ftp:"),
  "https://user:word@evil.example/logo.png",
  `blob:${evil}`,
  "vbscript:msgbox(1)",
];

const lengths: readonly unknown[] = [
  `calc(1px + url(${evil}))`,
  "12px; position: fixed; inset: 0",
  "99999999px",
  "-40px",
  "100vw",
];

/** Themes; none may have an effect beyond colours and sizes. */
export const hostileThemes: readonly Readonly<Record<string, unknown>>[] = [
  ...colours.map((value, index) => {
    const keys = ["accentColor", "accentTextColor", "background", "foreground"] as const;
    return { [keys[index % keys.length] ?? "background"]: value };
  }),
  ...logos.map((logoUrl) => ({ logoUrl })),
  ...lengths.map((radius) => ({ radius })),
];

/** Used as input of the field, as the `domain` option and as a brand name. */
export const hostileDomains: readonly string[] = [
  "<script>window.pwned=1</script>.test",
  "<img src=x onerror=window.pwned=1>",
  '"><svg onload=window.pwned=1>',
  "javascript:window.pwned=1//x.test",
  "data:text/html,<script>window.pwned=1</script>",
  `${evil}?@shop.test`,
  "shop.test\u202Emoc.live",
  "\u2066evil\u2069.test",
  "\u0430pple.test",
  "p\u0430yp\u0430l.com.xn--80ak6aa92e.test",
  "shop\u200B.test",
  "shop\u0000.test",
  "{{constructor.constructor('window.pwned=1')()}}.test",
  "$`{window.pwned=1}`.test",
  "../../v1/applications",
  "shop.test/../../x",
  "shop.test%2f%2e%2e",
  "__proto__",
  "\uFF53\uFF48\uFF4F\uFF50.test",
  "a.".repeat(200).concat("test"),
  `${long}.test`,
  "\u0627\u0644\u0639\u0631\u0628\u064A\u0629.test",
];
