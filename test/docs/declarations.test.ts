/** Every whole declaration that README and docs show is sound. */
import { describe, expect, it } from 'vitest';
import { openHarness } from '../cli/harness.ts';
import { blocksOf, documents } from './markdown.ts';

const blocks = await Promise.all((await documents()).map(blocksOf));
const isWhole = /^(name|service): [\s\S]*^(zoneIpAllocations|managerSettings|webhookDeliveries|collectorSchedules):/m;
const declarations = blocks.flat().filter(({ language, text }) => language === 'yaml' && isWhole.test(text));

describe.each(declarations)('$document:$line', ({ text }) => {
  it('is a sound declaration', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', text);
    await harness.write('prices.csv', 'url\nhttps://shop.example.com/a\n');
    const env = { WEBDATA_TRIGGERS_TOKEN: 'token', WEBDATA_MANAGER_TOKEN: 'token' };
    expect(await harness.webdataWith({ env }, 'validate')).toMatchObject({ code: 0, stderr: '' });
  });
});
