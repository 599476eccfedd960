const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  gif: "image/gif",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  map: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  ts: "text/plain; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  webp: "image/webp",
  woff2: "font/woff2",
  xml: "application/xml; charset=utf-8",
};

/** Null for a kind of file that is not served at all. */
export function contentTypeOf(file: string): string | null {
  return types[extensionOf(file)] ?? null;
}

/** Pictures and fonts are compressed in themselves. */
export function isCompressible(file: string): boolean {
  return !["gif", "ico", "jpg", "png", "webp", "woff2"].includes(extensionOf(file));
}

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf(".") + 1).toLowerCase();
}
