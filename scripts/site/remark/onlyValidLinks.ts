import type { MarkdownNode } from './node.ts';

/** Shows as text what only looks like an address, such as `https://host[:port]`. */
export function onlyValidLinks() {
  return showBrokenLinksAsText;
}

function showBrokenLinksAsText(node: MarkdownNode): void {
  node.children = node.children?.flatMap((child) => {
    showBrokenLinksAsText(child);
    const { type, url = '', children = [] } = child;
    const isBroken = type === 'link' && /^https?:/.test(url) && !URL.canParse(url);
    return isBroken ? children : [child];
  });
}
