/**
 * Fixes that name an option, a setting or a command. The fronts (the command line, Pulumi, Terraform) name these differently, so such a
 * fix is a function of the words of a front.
 */

/** A fix, or a part of one. */
export type FixText = string | ((words: FrontWords) => string);

/** A fix as problems and errors hold it: in the words of the command line, and of other fronts if theirs differ. */
interface RenderedFix {
  fix: string;
  fixFor?: FixesFor;
}

export interface FixesFor {
  pulumi: string;
  /** For an explicit provider of a Pulumi program, which has its own configuration. */
  pulumiProvider: string;
  terraform: string;
}

/** The fronts that have other words than the command line. */
export type FrontName = keyof FixesFor;

/** Phrases for what the fronts name differently. */
interface FrontWords {
  /** `set …`: each sets one value. */
  setApiUrl: string;
  setManagerUrl: string;
  setTriggersUrl: string;
  setAccount: string;
  /** The names of settings. */
  apiUrl: string;
  apiKey: string;
  /** For parentheses. */
  apiKeyShort: string;
  triggersUrl: string;
  triggersToken: string;
  /** `pass …`: each allows something that a guard refuses. */
  allowMoves(count: number): string;
  allowSelfLockout: string;
  allowUnclearListing: string;
  /** The subject of a sentence: sends accepted moves again. */
  resend: string;
  /** The command that plans. */
  plan: string;
  /** The command that applies. */
  apply: string;
  /** Takes the live state into the declaration. */
  acceptLive: string;
  /** The alternative to waiting for the lock. */
  lockTimeout(seconds: number): string;
}

const commandLine: FrontWords = {
  setApiUrl: 'set service.url in the file, WEBDATA_API_URL, or pass --api-url',
  setManagerUrl: 'set manager.url in the file, or `url` of the resource, WEBDATA_MANAGER_URL, or pass --manager-url',
  setTriggersUrl: 'set triggers.store or triggers.url in the file, or WEBDATA_TRIGGERS_URL',
  setAccount: 'set `account` in the file',
  apiUrl: 'service.url, WEBDATA_API_URL or --api-url',
  apiKey: 'WEBDATA_API_KEY',
  apiKeyShort: 'WEBDATA_API_KEY',
  triggersUrl: 'triggers.url (WEBDATA_TRIGGERS_URL)',
  triggersToken: 'WEBDATA_TRIGGERS_TOKEN',
  allowMoves: (count) => `pass --max-moves ${count}`,
  allowSelfLockout: 'pass --allow-self-lockout',
  allowUnclearListing: 'pass --allow-unclear-listing',
  resend: '--resend',
  plan: '`webdata plan`',
  apply: '`webdata apply`',
  acceptLive: 'run `webdata drift --accept`',
  lockTimeout: (seconds) => `pass --lock-timeout SECONDS to wait longer than ${seconds} s`,
};

interface PulumiNames {
  /** A value in capitals is one that the reader chooses. */
  set(name: string, value: string): string;
  setting(name: string): string;
  secret(name: string): string;
  resend: string;
  apiKeyShort: string;
}

const pulumiWords = ({ set, setting, secret, resend, apiKeyShort }: PulumiNames): FrontWords => ({
  setApiUrl: set('apiUrl', 'URL'),
  setManagerUrl: `${set('managerUrl', 'URL')}, or \`url\` of the resource`,
  setTriggersUrl: set('triggersUrl', 'URL'),
  setAccount: set('account', 'NAME'),
  apiUrl: setting('apiUrl'),
  apiKey: secret('apiKey'),
  apiKeyShort,
  triggersUrl: setting('triggersUrl'),
  triggersToken: secret('triggersToken'),
  allowMoves: (count) => set('allowMoves', String(count)),
  allowSelfLockout: set('allowSelfLockout', 'true'),
  allowUnclearListing: set('allowUnclearListing', 'true'),
  resend,
  plan: '`pulumi preview`',
  apply: '`pulumi up`',
  acceptLive: 'take it out of the program',
  lockTimeout: (seconds) => `${set('lockTimeout', 'SECONDS')} to wait longer than ${seconds} s`,
});

const pulumi = pulumiWords({
  set: (name, value) => `run \`pulumi config set webdata:${name} ${value}\``,
  setting: (name) => `webdata:${name}`,
  secret: (name) => `webdata:${name} (\`pulumi config set --secret webdata:${name}\`)`,
  resend: '`pulumi config set webdata:resend true`',
  apiKeyShort: '`pulumi config set --secret webdata:apiKey`',
});

const ofProvider = (setting: string) => `\`${setting}\` of the provider`;

const pulumiProvider = pulumiWords({
  set: (name, value) => `set ${ofProvider(/^[A-Z]+$/.test(value) ? name : `${name}: ${value}`)}`,
  setting: ofProvider,
  secret: ofProvider,
  resend: ofProvider('resend: true'),
  apiKeyShort: ofProvider('apiKey'),
});

const terraform: FrontWords = {
  setApiUrl: 'set `url` of the provider, or WEBDATA_API_URL',
  setManagerUrl: 'set `manager_url` of the provider, or `url` of the resource, or WEBDATA_MANAGER_URL',
  setTriggersUrl: 'set `triggers_url` of the provider, or WEBDATA_TRIGGERS_URL',
  setAccount: 'set `account` of the provider',
  apiUrl: '`url` of the provider, or WEBDATA_API_URL',
  apiKey: '`api_key` of the provider, or WEBDATA_API_KEY',
  apiKeyShort: '`api_key` of the provider, or WEBDATA_API_KEY',
  triggersUrl: '`triggers_url` of the provider',
  triggersToken: '`triggers_token` of the provider, or WEBDATA_TRIGGERS_TOKEN',
  allowMoves: (count) => `set \`allow_moves = ${count}\` in the provider block`,
  allowSelfLockout: 'set `allow_self_lockout = true` in the provider block',
  allowUnclearListing: 'set `allow_unclear_listing = true` in the provider block',
  resend: '`resend = true` in the provider block',
  plan: '`terraform plan`',
  apply: '`terraform apply`',
  acceptLive: 'take it out of the configuration',
  lockTimeout: (seconds) => `set \`lock_timeout\` in the provider block to wait longer than ${seconds} s`,
};

/** Joins the parts by spaces. */
export function renderFix(...parts: readonly FixText[]): RenderedFix {
  const inWordsOf = (words: FrontWords) =>
    parts.map((part) => (typeof part === 'string' ? part : part(words))).join(' ');
  const fix = inWordsOf(commandLine);
  if (parts.every((part) => typeof part === 'string')) return { fix };
  return {
    fix,
    fixFor: { pulumi: inWordsOf(pulumi), pulumiProvider: inWordsOf(pulumiProvider), terraform: inWordsOf(terraform) },
  };
}
