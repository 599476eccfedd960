import type { JSX as Dom } from "preact";

/**
 * The result of a JSX expression. Components are pure functions: the machine holds all state, so
 * the small renderer below is enough (see docs/decisions/widget-renderer.md).
 */
export interface VNode {
  readonly type: string | Component;
  readonly props: Props;
  readonly key: string | number | undefined;
}

export type Child = VNode | string | number | boolean | null | undefined | readonly Child[];

export type Props = Readonly<Record<string, unknown>> & { readonly children?: Child };

type Component = (props: Props) => Child;

export function jsx(type: VNode["type"], props: Props, key?: string | number): VNode {
  return { type, props, key };
}

/** The same with several children. */
export function jsxs(type: VNode["type"], props: Props, key?: string | number): VNode {
  return jsx(type, props, key);
}

export function Fragment({ children }: { readonly children?: Child }): Child {
  return children;
}

export declare namespace JSX {
  type Element = VNode;
  type ElementType = keyof IntrinsicElements | ((props: never) => Child);
  interface ElementChildrenAttribute {
    readonly children: unknown;
  }
  interface IntrinsicAttributes {
    readonly key?: string | number;
  }
  interface IntrinsicElements extends Dom.IntrinsicElements {}
}

/** The key and the latest properties of a rendered node. */
interface Rendered {
  readonly key: string;
  props: Props;
}

/** An element or a text with its key; components and fragments are already expanded. */
interface Keyed {
  readonly key: string;
  readonly vnode: VNode | string;
}

const rendered = new WeakMap<Node, Rendered>();
const svgNamespace = "http://www.w3.org/2000/svg";

/** Renders into an element. Nodes with the same key are updated, others are created or removed. */
export function render(child: Child, parent: Element): void {
  const nodes: Keyed[] = [];
  expand(child, "", nodes);
  const keys = new Set(nodes.map(({ key }) => key));
  const old = new Map<string, Node>();
  // Obsolete nodes are removed first, so that the others stay in place: a moved element loses the
  // focus.
  for (const node of [...parent.childNodes]) {
    const key = rendered.get(node)?.key;
    if (key !== undefined && keys.has(key)) old.set(key, node);
    else node.remove();
  }
  let before: Node | null = parent.firstChild;
  for (const { key, vnode } of nodes) {
    const node = reuse(old.get(key), vnode) ?? create(key, vnode, parent);
    old.delete(key);
    if (node === before) before = before.nextSibling;
    else parent.insertBefore(node, before);
    update(node, vnode);
  }
  while (before !== null) {
    const next: Node | null = before.nextSibling;
    before.parentNode?.removeChild(before);
    before = next;
  }
}

/**
 * Expands components and fragments. A key is the path of indexes, explicit keys and the element
 * type, so a node has the same key when siblings before it appear or disappear as null.
 */
function expand(child: Child, path: string, into: Keyed[]): void {
  if (child === null || child === undefined || typeof child === "boolean") return;
  if (typeof child === "string" || typeof child === "number") {
    into.push({ key: path, vnode: String(child) });
  } else if (isList(child)) {
    child.forEach((one, index) => {
      expand(one, `${path}.${keyOf(one) ?? index}`, into);
    });
  } else if (typeof child.type === "function") {
    expand(child.type(child.props), `${path}>`, into);
  } else into.push({ key: `${path}${child.type}${child.key ?? ""}`, vnode: child });
}

function isList(child: VNode | readonly Child[]): child is readonly Child[] {
  return Array.isArray(child);
}

function keyOf(child: Child): string | number | undefined {
  return typeof child === "object" && child !== null && "key" in child ? child.key : undefined;
}

function reuse(node: Node | undefined, vnode: VNode | string): Node | null {
  if (node === undefined) return null;
  return (typeof vnode === "string") === (node.nodeType === Node.TEXT_NODE) ? node : null;
}

function create(key: string, vnode: VNode | string, parent: Element): Node {
  const { ownerDocument } = parent;
  const node =
    typeof vnode === "string" ? ownerDocument.createTextNode("") : element(vnode, parent);
  rendered.set(node, { key, props: {} });
  return node;
}

function element({ type }: VNode, { ownerDocument, namespaceURI }: Element): Element {
  const isSvg = type === "svg" || namespaceURI === svgNamespace;
  return isSvg
    ? ownerDocument.createElementNS(svgNamespace, String(type))
    : ownerDocument.createElement(String(type));
}

function update(node: Node, vnode: VNode | string): void {
  if (typeof vnode === "string") {
    if (node.nodeValue !== vnode) node.nodeValue = vnode;
    return;
  }
  const known = rendered.get(node);
  if (known === undefined || !(node instanceof Element)) return;
  const before = known.props;
  known.props = vnode.props;
  for (const name of new Set([...Object.keys(before), ...Object.keys(vnode.props)])) {
    setProp(node, name, before[name], vnode.props[name]);
  }
  render(vnode.props.children, node);
}

function setProp(node: Element, name: string, before: unknown, after: unknown): void {
  if (name === "children") return;
  if (name.startsWith("on")) {
    // One permanent listener; `relay` calls the latest handler.
    if (before === undefined) node.addEventListener(name.slice(2).toLowerCase(), relay);
  } else if (node instanceof HTMLInputElement && (name === "value" || name === "checked")) {
    if (node[name] !== after) Object.assign(node, { [name]: after });
  } else if (before !== after) {
    // The initial value of an input, which typing replaces.
    setAttribute(node, name === "defaultValue" ? "value" : name, after);
  }
}

/** A boolean sets or removes the attribute, except where `"false"` is a valid value. */
function setAttribute(node: Element, name: string, value: unknown): void {
  const isWord = name.startsWith("aria-") || name === "spellcheck";
  const text = value === true && !isWord ? "" : value;
  if (text === undefined || text === null || (text === false && !isWord))
    node.removeAttribute(name);
  else node.setAttribute(name, String(text));
}

function relay(event: Event): void {
  if (event.currentTarget === null || !(event.currentTarget instanceof Node)) return;
  const props = rendered.get(event.currentTarget)?.props ?? {};
  for (const [name, handler] of Object.entries(props)) {
    if (name.toLowerCase() === `on${event.type}` && typeof handler === "function") handler(event);
  }
}
