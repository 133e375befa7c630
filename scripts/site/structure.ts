/** The structure of the documentation site: what each page is for, and the order of the pages. */

type Need = 'tutorial' | 'how-to' | 'reference' | 'explanation';

interface Section {
  label: string;
  /** The sentence on the page that lists the section. */
  description: string;
  /** Pages and folders in their order. Other pages of the section follow. A folder stands for a group of its own. */
  pages: readonly (string | Group)[];
}

interface Group {
  label: string;
  folder: string;
  /** The sentence on the card of the group. */
  description: string;
}

export const sections: Record<Need, Section> = {
  tutorial: {
    label: 'Tutorial',
    description: 'From an empty folder to an account without drift, step by step.',
    pages: ['getting-started'],
  },
  'how-to': {
    label: 'How-to guides',
    description: 'Directions for one task at a time.',
    pages: [
      'everyday',
      { label: 'Recipes', folder: 'recipes', description: 'One task each, with the check and the way back.' },
      'gitops',
      'rehearse',
      'audit',
      'ci',
      { label: 'Pulumi', folder: 'pulumi', description: 'Declare the account in TypeScript, Python or YAML.' },
      { label: 'Terraform', folder: 'terraform', description: 'The provider for Terraform and OpenTofu.' },
      'triggers',
      'receiver',
      'emulator',
      'policy',
      'program',
    ],
  },
  reference: {
    label: 'Reference',
    description: 'Every field, command, error and function.',
    pages: [
      { label: 'Declaration', folder: 'declaration', description: 'Every field, by kind of resource.' },
      { label: 'Commands', folder: 'commands', description: 'Every command with its options and examples.' },
      'errors',
      'client',
      'collectors',
      'triggers-api',
      { label: 'TypeScript API', folder: 'api', description: 'Every function and type of the package.' },
      'glossary',
      'changes',
    ],
  },
  explanation: {
    label: 'Explanation',
    description: 'The ideas behind the tool, its promises, and a comparison with others.',
    pages: [
      {
        label: 'Concepts',
        folder: 'explanations',
        description: 'The ideas behind plans, guards and schedules, and their promises.',
      },
      'runs',
      'real-service',
      'comparison',
      {
        label: 'Evidence',
        folder: 'evidence',
        description: 'Coverage of the specification, campaigns against failures, and performance.',
      },
      'security',
      'architecture',
      'contributing',
    ],
  },
};

/** Pages of the repository that are not in docs/, and their names on the site. */
export const otherPages: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changes.md',
  'SECURITY.md': 'security.md',
  'CONTRIBUTING.md': 'contributing.md',
};

/** A category or a page, in the form that the site generator reads. */
type SidebarItem =
  | string
  | {
      type: 'category';
      label: string;
      description?: string;
      collapsed?: boolean;
      link?:
        | { type: 'generated-index'; title: string; description: string; slug: string }
        | { type: 'doc'; id: string };
      items: SidebarItem[];
    };

/** Returns the section of a page, such as `recipes/evacuate`. A page that no section names is a how-to guide. */
export function needOf(page: string): Need {
  const needs = Object.keys(sections) as Need[];
  return needs.find((need) => sections[need].pages.some((entry) => isIn(entry, page))) ?? 'how-to';
}

/** Returns the sidebar of each section. */
export function sidebarsOf(pages: readonly string[]): Record<Need, SidebarItem[]> {
  const sidebar = (need: Need): SidebarItem[] => {
    const { label, description, pages: order } = sections[need];
    const own = pages.filter((page) => needOf(page) === need);
    const ordered = order.flatMap((entry): SidebarItem[] => {
      const its = own.filter((page) => isIn(entry, page)).toSorted();
      if (typeof entry === 'string' || its.length === 0) return its;
      return [groupOf(entry, its)];
    });
    const others = own.filter((page) => !order.some((entry) => isIn(entry, page)));
    const items = [...ordered, ...others];
    const link = { type: 'generated-index', title: label, description, slug: `/${need}` } as const;
    return [{ type: 'category', label, collapsed: false, link, items }];
  };
  const needs = Object.keys(sections) as Need[];
  return Object.fromEntries(needs.map((need) => [need, sidebar(need)])) as Record<Need, SidebarItem[]>;
}

function isIn(entry: string | Group, page: string): boolean {
  return typeof entry === 'string' ? page === entry : page.startsWith(`${entry.folder}/`);
}

/** Returns the pages of a folder; its index is the page of the group itself. */
function groupOf({ label, folder, description }: Group, pages: readonly string[]): SidebarItem {
  const index = `${folder}/index`;
  const items = pages.filter((page) => page !== index);
  return {
    type: 'category',
    label,
    description,
    ...(items.length < pages.length && { link: { type: 'doc', id: index } }),
    items,
  };
}
