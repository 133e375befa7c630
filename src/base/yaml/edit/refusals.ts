/** The reasons why a value is not edited. */
import type { Problem } from '../../diagnostics/problem.ts';

export const fromVariable: Problem = {
  code: 'value-from-variable',
  found: 'the value comes from a variable, and the live value differs',
  fix: 'change the variable where it is set, or write the live value in place of it',
};

export const fromMerge: Problem = {
  code: 'shared-value',
  found: 'the value comes from `<<`, which other maps share',
  fix: 'write out the value in this map, or change the shared one by hand',
};

export function fromAlias(name: string): Problem {
  return {
    code: 'shared-value',
    found: `the value comes from the anchor of \`*${name}\``,
    fix: 'write out the value here, or change the shared one by hand',
  };
}

export const holdsAnchor: Problem = {
  code: 'shared-value',
  found: 'the text to remove has an alias, or an anchor that an alias refers to',
  fix: 'write out the values, and accept again',
};

export function notEditable(why: string): Problem {
  return {
    code: 'not-editable',
    found: `the value cannot be changed by a small edit: ${why}`,
    fix: 'change it by hand',
  };
}
