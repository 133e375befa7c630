/** The structure of the documentation site: what each page is for, and the order of the pages. */

type Job = 'start' | 'zones' | 'team' | 'collectors' | 'fronts' | 'reference' | 'ideas';

interface Section {
  label: string;
  /** The sentence about the section in `llms.txt`. */
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

export const sections: Record<Job, Section> = {
  start: {
    label: 'Start',
    description: 'From an empty folder to an account without drift, to rows of a collector, and to a first program.',
    pages: ['getting-started', 'recipes/nightly-collector', 'first-program'],
  },
  zones: {
    label: 'Zones',
    description: 'Move, adopt, protect and find IPs.',
    pages: [
      'everyday',
      'recipes/evacuate-a-zone',
      'recipes/blue-green',
      'recipes/shared-spare',
      'recipes/rotate-an-allow-list',
      'recipes/managers-in-ci',
      'audit',
      'explanations/fewest-moves',
      'explanations/guards',
      'explanations/lost-answers',
    ],
  },
  team: {
    label: 'Team and CI',
    description: 'Reviews, drift checks, undo, and one account for several people.',
    pages: [
      'gitops',
      'ci',
      'github',
      'gitlab',
      'keys-and-forks',
      'undo',
      'backend',
      'runs',
      'rehearse',
      'recipes/drift-with-proposals',
      'recipes/test-your-ci',
    ],
  },
  collectors: {
    label: 'Collectors',
    description: 'Schedules that trigger each tick once, and the results that they keep.',
    pages: [
      'triggers',
      'receiver',
      'collectors',
      'recipes/server-and-receiver',
      'recipes/from-crontab',
      'explanations/schedules',
    ],
  },
  fronts: {
    label: 'Programs',
    description: 'The same resources from programs.',
    pages: [
      { label: 'Pulumi', folder: 'pulumi', description: 'Declare the account in TypeScript, Python or YAML.' },
      'terraform',
      'program',
      'recipes/pulumi-and-yaml',
    ],
  },
  reference: {
    label: 'Reference',
    description: 'Every field, command, error and function.',
    pages: [
      { label: 'Declaration', folder: 'declaration', description: 'Every field, by kind of resource.' },
      { label: 'Commands', folder: 'commands', description: 'Every command with its options and examples.' },
      'errors',
      'emulator',
      'client',
      'triggers-api',
      { label: 'TypeScript API', folder: 'api', description: 'Every function and type of the package.' },
      'glossary',
      'changes',
    ],
  },
  ideas: {
    label: 'Ideas',
    description: 'Promises, the evidence for them, and a comparison with other tools.',
    pages: [
      'comparison',
      'real-service',
      'security',
      {
        label: 'Evidence',
        folder: 'evidence',
        description: 'Coverage of the specification, campaigns against failures, and performance.',
      },
      'architecture',
      'contributing',
    ],
  },
};

/** Other words for what a page is about, which its text does not use: the search finds the page by them. */
export const alsoCalled: Readonly<Record<string, readonly string[]>> = {
  'commands/undo': ['rollback', 'revert', 'take back'],
  'commands/unlock': ['locked', 'lock'],
  everyday: ['import existing account', 'adopt'],
  'commands/show': ['list all zones', 'which zones exist', 'inventory'],
  'recipes/nightly-collector': ['nightly', 'without a server', 'collector without server'],
  'real-service': ['429', 'rate limit'],
  'declaration/collectorSchedules': ['cron timezone', 'time zone', 'schedule'],
  receiver: ['S3 delivery', 'bucket', 'webhook'],
  'triggers-api': ['notify slack', 'alert'],
  'declaration/index': ['cost', 'price', 'money'],
  github: ['github token', 'github actions'],
  gitlab: ['gitlab token', 'merge request'],
  ci: ['pull request'],
  'keys-and-forks': ['policy', 'secrets in CI'],
  undo: ['rollback', 'revert', 'journal'],
  backend: ['state', 'locked', 'two people at once'],
  terraform: ['OpenTofu', 'hcl'],
  'getting-started': ['windows', 'install', 'quickstart'],
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
      link?: { type: 'doc'; id: string };
      items: SidebarItem[];
    };

/** Returns the section of a page, such as `recipes/evacuate`. A page that no section names is about zones. */
export function jobOf(page: string): Job {
  const jobs = Object.keys(sections) as Job[];
  return jobs.find((job) => sections[job].pages.includes(page)) ?? jobs.find((job) => hasGroupOf(job, page)) ?? 'zones';
}

function hasGroupOf(job: Job, page: string): boolean {
  return sections[job].pages.some((entry) => typeof entry !== 'string' && isIn(entry, page));
}

/** Returns the sidebar of each section. */
export function sidebarsOf(pages: readonly string[]): Record<Job, SidebarItem[]> {
  const sidebar = (job: Job): SidebarItem[] => {
    const { pages: order } = sections[job];
    const own = pages.filter((page) => jobOf(page) === job);
    const ordered = order.flatMap((entry): SidebarItem[] => {
      const found = own.filter((page) => isIn(entry, page)).toSorted();
      if (typeof entry === 'string' || found.length === 0) return found;
      return [groupOf(entry, found)];
    });
    const others = own.filter((page) => !order.some((entry) => isIn(entry, page)));
    return [...ordered, ...others];
  };
  const jobs = Object.keys(sections) as Job[];
  return Object.fromEntries(jobs.map((job) => [job, sidebar(job)])) as Record<Job, SidebarItem[]>;
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
