/** A page of an example product; the test opens the widget on it. */
export function productPage(): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Acme</title>
<script src="/sdk/v1/widget.js"></script></head>
<body><main><h1>Settings</h1><p>Your shop is at acme.example.net.</p>
<button id="open">Connect a domain</button><div id="place"></div></main></body></html>`;
}
