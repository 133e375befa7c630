/** A node of a Markdown page, as far as the plugins of the site need it. */
export interface MarkdownNode {
  type: string;
  value?: string;
  url?: string;
  title?: string;
  data?: unknown;
  children?: MarkdownNode[];
}
