/** The maker of a run, and the commit, as runs and reports keep them. */
import { z } from 'zod';

export const startedBySchema = z.object({
  user: z.string().describe('The name of the user.'),
  host: z.string().describe('The name of the machine.'),
  job: z.string().optional().describe('The URL of the CI job.'),
  commit: z.string().optional().describe('The commit that was checked out.'),
  isChanged: z.boolean().optional().describe('True if files of the repository had changes that were not committed.'),
});

export type StartedBy = z.output<typeof startedBySchema>;

/** Returns who made a run, in words: `deploy@laptop, commit 1a2b3c4 with uncommitted changes`. */
export function startedByText({ user, host, job, commit, isChanged = false }: StartedBy): string {
  const from =
    commit === undefined ? '' : `, commit ${commit.slice(0, 7)}${isChanged ? ' with uncommitted changes' : ''}`;
  return `${job ?? `${user}@${host}`}${from}`;
}
