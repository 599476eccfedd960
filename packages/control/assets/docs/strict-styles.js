/**
 * Makes Scalar work without `style-src 'unsafe-inline'`. Scalar adds `<style>` elements without a
 * nonce and writes `style` attributes as text; the policy blocks both. Here every `<style>` element
 * gets the nonce of the page, and `style` attributes are set through `element.style`, which the
 * policy allows.
 */
const nonce = document.querySelector("meta[property=csp-nonce]").content;
const { createElement } = Document.prototype;
const { setAttribute } = Element.prototype;
const innerHtml = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML");
const styleAttribute = /(<[a-z][^<>]*?\s)style=/gi;

Document.prototype.createElement = function (...args) {
  const element = createElement.apply(this, args);
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  return element;
};

Element.prototype.setAttribute = function (name, value) {
  if (name === "style") this.style.cssText = value;
  else setAttribute.call(this, name, value);
};

Object.defineProperty(Element.prototype, "innerHTML", {
  ...innerHtml,
  set(html) {
    const text = String(html ?? "");
    const withoutStyle = text.replace(styleAttribute, "$1data-style=");
    innerHtml.set.call(this, withoutStyle);
    if (withoutStyle === text) return;
    const root = this instanceof HTMLTemplateElement ? this.content : this;
    for (const element of root.querySelectorAll("[data-style]")) {
      element.style.cssText = element.dataset.style;
      element.removeAttribute("data-style");
    }
  },
});
