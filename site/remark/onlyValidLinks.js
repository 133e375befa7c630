/** Shows what only looks like an address, such as `https://host[:port]`, as text. */
export function onlyValidLinks() {
  return (tree) => visit(tree);
}

function visit(node) {
  if (!Array.isArray(node.children)) return;
  node.children = node.children.flatMap((child) => {
    visit(child);
    const isBroken = child.type === 'link' && /^https?:/.test(child.url) && !URL.canParse(child.url);
    return isBroken ? child.children : [child];
  });
}
