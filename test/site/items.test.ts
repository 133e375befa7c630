/** Reference tables on the site: each row has an address. */
import { expect, it } from 'vitest';
import { withItems } from '../../scripts/site/items.ts';

it('turns the rows of a reference table into items with an address, and leaves other tables alone', () => {
  const page = `# Fields

## Protect

| field | type | default | meaning |
| --- | --- | --- | --- |
| \`zones.NAME.keepAtLeast\` | integer ≥ 0 |  | The fewest IPs. |
| \`protect\` | list | \`[]\` | With \`a | b\`. |

| code | meaning and fix |
|---|---|
| \`accepted-unseen\`, \`half-done\` | look again |

| to | recipe |
|---|---|
| empty a zone | evacuate |
`;
  expect(withItems(page)).toBe(`# Fields

## Protect


### \`zones.NAME.\` \`keepAtLeast\` {#zones-keepatleast}

integer ≥ 0

The fewest IPs.


### \`protect\` {#protect-protect}

list · default: \`[]\`

With \`a | b\`.


### \`accepted-unseen\`, \`half-done\` {#accepted-unseen}

<a id="half-done"></a>

look again

| to | recipe |
|---|---|
| empty a zone | evacuate |
`);
});
