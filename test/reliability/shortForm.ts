/** The short form of a campaign, as a test. */
import { expect, it } from 'vitest';
import type { Campaign } from '../../reliability/frame/campaign.ts';
import { runOnStage } from '../../reliability/frame/stage.ts';

export function testShortForm(campaign: Campaign): void {
  it(`${campaign.name}: the short form has no failures`, async () => {
    const { counts, failures } = await runOnStage(campaign, { short: true, say: () => undefined });
    expect(failures).toEqual([]);
    expect(counts.length).toBeGreaterThan(0);
  });
}
