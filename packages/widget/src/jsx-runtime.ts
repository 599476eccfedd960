import type { JSX as Dom } from "preact";

/**
 * What JSX compiles to. Components are plain functions without state of their own: the machine has
 * all of it, so that a renderer of a few dozen lines (`render.ts`) is enough.
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

/** What a node was last drawn from. */
interface Drawn {
  readonly key: string;
  props: Props;
}

/** An element or a text at its place; components and fragments are resolved. */
interface Placed {
  readonly key: string;
  readonly vnode: VNode | string;
}

const drawn = new WeakMap<Node, Drawn>();
const svgNamespace = "http://www.w3.org/2000/svg";

/** Makes the children of an element what is given, keeping every node that is still wanted. */
export function render(child: Child, parent: Element): void {
  const placed: Placed[] = [];
  place(child, "", placed);
  const old = new Map<string, Node>();
  for (const node of parent.childNodes) {
    const known = drawn.get(node);
    if (known !== undefined) old.set(known.key, node);
  }
  let before: Node | null = parent.firstChild;
  for (const { key, vnode } of placed) {
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

/** A place is known by its path, so that what comes and goes before it does not disturb it. */
function place(child: Child, path: string, into: Placed[]): void {
  if (child === null || child === undefined || typeof child === "boolean") return;
  if (typeof child === "string" || typeof child === "number") {
    into.push({ key: path, vnode: String(child) });
  } else if (isList(child)) {
    child.forEach((one, index) => {
      place(one, `${path}.${keyOf(one) ?? index}`, into);
    });
  } else if (typeof child.type === "function") {
    place(child.type(child.props), `${path}>`, into);
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
  drawn.set(node, { key, props: {} });
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
  const known = drawn.get(node);
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
    // One listener for good; it calls what was drawn last.
    if (before === undefined) node.addEventListener(name.slice(2).toLowerCase(), relay);
  } else if (node instanceof HTMLInputElement && (name === "value" || name === "checked")) {
    if (node[name] !== after) Object.assign(node, { [name]: after });
  } else if (before !== after) setAttribute(node, name, after);
}

/** Booleans are there or not, except where `false` is a value of its own. */
function setAttribute(node: Element, name: string, value: unknown): void {
  const isWord = name.startsWith("aria-") || name === "spellcheck";
  const text = value === true && !isWord ? "" : value;
  if (text === undefined || text === null || (text === false && !isWord))
    node.removeAttribute(name);
  else node.setAttribute(name, String(text));
}

function relay(event: Event): void {
  if (event.currentTarget === null || !(event.currentTarget instanceof Node)) return;
  const props = drawn.get(event.currentTarget)?.props ?? {};
  for (const [name, handler] of Object.entries(props)) {
    if (name.toLowerCase() === `on${event.type}` && typeof handler === "function") handler(event);
  }
}
