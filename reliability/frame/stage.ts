/** Runs a campaign on its own stage: an empty folder and the processes that it starts. Both are removed afterwards. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Campaign, CampaignStage, Outcome } from './campaign.ts';

/** Counts a thrown error as a failure of the campaign. */
export async function runOnStage(
  campaign: Pick<Campaign, 'run'>,
  how: Pick<CampaignStage, 'short' | 'say'>,
): Promise<Outcome> {
  const children: ChildProcess[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'webdata-reliability-'));
  try {
    return await campaign.run({ ...how, folder, keep: (child) => children.push(child) });
  } catch (error) {
    return { counts: [], failures: [`it ended early: ${error instanceof Error ? error.stack : error}`] };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
