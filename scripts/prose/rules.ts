/** The rules of language that a machine can check: plain verbs with a subject, and one word for one thing. */

interface Rule {
  name: string;
  pattern: RegExp;
  suggestion: string;
  /** Absent where the rule applies to all texts. */
  kinds?: readonly TextKind[];
}

/** `doc` is a doc comment, `help` describes a command, an option or a field, `text` is any other string. */
export type TextKind = 'doc' | 'comment' | 'help' | 'text' | 'markdown';

const banned: readonly [RegExp, string][] = [
  [/\b(?:who|whom|what|which|where|how)(?:so)?ever\b(?!,)/gi, 'name the subject: "callers that", "any user", "every"'],
  [/\b(?:somebody|nobody|anybody|everybody)\b/gi, 'name who: "the user", "the caller", "no one"'],
  [
    /\b(?:tell|tells|told|telling)\b(?!\s+(?:\S+\s+){0,3}apart\b)/gi,
    'things report, print, show or return; people are notified',
  ],
  [/\bnowhere to be (?:had|found)\b/gi, 'write "is not available"'],
  [/\bby rights\b/gi, 'write "should"'],
  [/\bbelongs? into\b/gi, 'write "belongs in"'],
  [/\bthat there (?:is|are) (?:not|none)\b/gi, 'write "unknown" or "missing"'],
  [/\b(?:what|who) is not there\b/gi, 'name the thing: "a missing record"'],
  [/\botherwise now\b/gi, 'write "has changed"'],
  [/\bstands? (?:in|beside|between|for itself)\b/gi, 'write "is in", "is next to"'],
  [/\bno more,? until\b/gi, 'write "until" with an active verb: "pauses it until"'],
  [/\bis none of\b/gi, 'write "is not a"'],
  [/\bgoes? before\b/gi, 'write "overrides" or "precedes"'],
  [/\banew\b/gi, 'write "again"'],
  [/\bsees? to it\b/gi, 'name the action'],
  [/\blets? \S+ know\b/gi, 'write "notifies" or "reports"'],
  [/\bbecomes? of\b/gi, 'name the result: "outcome", "lifecycle"'],
  [/\bso (?:much|many) and no more\b/gi, 'write "at most"'],
  [/\bhow(?:ever)? (?:it|they) may be\b/gi, 'delete it'],
  [/\bcan not\b/gi, 'write "cannot"'],
  [/\bas (?:good|gone) as\b/gi, 'write "almost", or state the fact'],
  [/\bamiss\b/gi, 'write "unhealthy" or "wrong"'],
  [/\bin the way\b/gi, 'write "blocks"'],
  [/\ban? (?:answer|line|plan|run|call) of (?:ours|us)\b/gi, 'name the owner'],
  [/\bhung into\b/gi, 'write "registered with"'],
  [/\bas (?:it|they) stands?\b/gi, 'write "unchanged"'],
  [/\bfor ever\b/gi, 'write "forever"'],
  [/(?<!nowhere to )\bbe had\b/gi, 'write "is available"'],
  [/\brefused in words\b|\brefusal in words\b|\berrors? in words\b/gi, 'write "with a message"'],
  [/\bbehind (?:the tool's|its|our) back\b/gi, 'write "without the tool"'],
  [/\b(?:is|are) due to be\b/gi, 'write "must be"'],
];

/** One word for one thing, by the glossary. */
const glossary: readonly [RegExp, string][] = [
  [/\bspec files?\b/gi, 'declaration'],
  [/\bforges?\b/gi, 'code host'],
  [/\btrigger servers?\b/gi, 'trigger service'],
  [/\btime-outs?\b/gi, 'timeout'],
  [/\bfile ?names?\b(?=\s+and\s+line)/gi, 'location'],
  [/\broll(?:ed)? ?backs?\b|\broll-backs?\b/gi, 'undo'],
  [/\bwhereabouts\b/gi, 'location'],
  [/\be-mails?\b/gi, 'email'],
  [/\bkept plans?\b|\bplans? (?:that (?:is|are|was|were) )?kept\b/gi, 'plan file'],
  [/\bfootprints?\b/gi, 'concurrency key'],
  [/\blicences?\b/gi, 'license'],
  [/\bcolours?\b/gi, 'color'],
  [/\bbehaviours?\b/gi, 'behavior'],
];

const rules: readonly Rule[] = [
  {
    name: 'headless opening',
    pattern: /^\W*(?:what|who|whom|whose|whether|that|how|where|which|those who|of the|of what)\b(?![^.]*\?)/gi,
    suggestion: 'start a function comment with a verb, any other comment or option with a noun',
    kinds: ['doc', 'help'],
  },
  ...banned.map(([pattern, suggestion]) => ({ name: 'banned words', pattern: overLines(pattern), suggestion })),
  ...glossary.map(([pattern, word]) => ({
    name: 'one word for one thing',
    pattern: overLines(pattern),
    suggestion: `write "${word}"`,
  })),
];

const anyWords = new RegExp(
  rules
    .slice(1)
    .map(({ pattern }) => pattern.source)
    .join('|'),
  'i',
);

/** One search for all words is much faster than a search for each. */
export function rulesFor(kind: TextKind, text: string): readonly Rule[] {
  return (anyWords.test(text) ? rules : rules.slice(0, 1)).filter(({ kinds }) => kinds?.includes(kind) ?? true);
}

/** A line may break at any space. */
function overLines({ source, flags }: RegExp): RegExp {
  return new RegExp(source.replaceAll(' ', '\\s+'), flags);
}
