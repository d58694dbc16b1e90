// What ui/static/regions/picture.js draws of regions given as JSON on standard input, without a browser: one JSON list
// of [tag, attributes] in the order of drawing.

class Node {
  dataset = {};
  style = { setProperty: () => {} };
  classList = { contains: (name) => this.attributes.class?.split(" ").includes(name) ?? false, toggle: () => {} };
  children = [];
  attributes = {};

  constructor(tag) {
    this.tag = tag;
  }
  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }
  getAttribute(name) {
    return this.attributes[name] ?? null;
  }
  append(...children) {
    this.children.push(...children);
    for (const child of children) child.parent = this;
  }
  get nextSibling() {
    return this.parent?.children[this.parent.children.indexOf(this) + 1] ?? null;
  }
  insertBefore(child, next) {
    this.children = this.children.filter((one) => one !== child);
    this.children.splice(next ? this.children.indexOf(next) : this.children.length, 0, child);
  }
  querySelector() {
    return null;
  }
  addEventListener() {}
}

globalThis.document = {
  createElement: (tag) => new Node(tag),
  createElementNS: (_, tag) => new Node(tag),
  body: new Node("body"),
};

const { RegionPicture } = await import("../../../ui/static/regions/picture.js");
const { size, regions, colours } = await new Response(Deno.stdin.readable).json();
globalThis.getComputedStyle = () => ({ getPropertyValue: (name) => colours[name] ?? "" });
const picture = new RegionPicture({ image: "", alt: "", size, regions });
regions.forEach(({ look }, index) => picture.show(index, { look, name: `region ${index}`, shown: true }));
const flat = (node) => [[node.tag, node.attributes], ...node.children.flatMap(flat)];
console.log(JSON.stringify(flat(picture.svg)));
