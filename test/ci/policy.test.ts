/** `webdata ci plan --policy`: a command that reads the JSON plan and may deny it. */
import { describe, expect, it } from 'vitest';
import { oneMove, onGitHub } from './setup.ts';

/** A policy in shell: what it reads is left in the file `seen`. */
const denying = `cat > seen; echo 'checkout must keep its IPs'; echo 'ask *ada* first'; exit 1`;

describe('a policy', () => {
  it('denies a plan with its reasons before the report in the comment, the log and the step summary', async () => {
    await using github = await onGitHub(oneMove);
    const { code, stderr } = await github.ci('plan', '--policy', denying);
    expect(code).toBe(1);
    expect(stderr).toContain('checkout must keep its IPs');
    const [comment] = github.forge.on(7);
    expect(comment?.body).toMatch(
      /\n### ❌ Denied by policy\n\n- checkout must keep its IPs\n- ask `\*ada\*` first\n\n### webdata plan: 1 move · /,
    );
    expect(await github.left('summary')).toContain('- checkout must keep its IPs');
    expect(await github.left('output')).toContain('\n1\n');
    expect(JSON.parse(await github.harness.read('seen'))).toMatchObject({ format: 'webdata.plan/1', mode: 'plan' });
  });

  it('allows a plan with exit code 0, whatever it prints, even if it does not read', async () => {
    await using github = await onGitHub(oneMove);
    expect(await github.ci('plan', '--policy', 'echo fine')).toMatchObject({ code: 0 });
    expect(github.forge.on(7)[0]?.body).not.toContain('policy');
  });

  it('says that the command failed if it gives no reason', async () => {
    await using github = await onGitHub(oneMove);
    const { code, stderr } = await github.ci('plan', '--policy', 'echo no such rule >&2; exit 3');
    expect(code).toBe(1);
    expect(stderr).toContain('the policy command failed with exit code 3: no such rule');
  });

  it.each([
    [`echo '["too many moves", {"msg": "ask *ada*"}]'; exit 1`, ['too many moves', 'ask `*ada*`']],
    [`echo '[{"failures": [{"msg": "no"}], "warnings": [{"msg": "careful"}]}]'; exit 1`, ['no', 'careful']],
    [`echo '[{"warnings": [{"msg": "careful"}]}]'`, ['careful']],
    [`echo '[{"warnings": [{"msg": "careful"}]}]'; exit 1`, ['careful']],
    ['kill -TERM $$', ['the policy command was ended by SIGTERM: it printed no reason']],
  ])('shows each message of %s', async (policy, messages) => {
    await using github = await onGitHub(oneMove);
    const { code, stderr } = await github.ci('plan', '--policy', policy);
    expect(code).toBe(/exit 1|kill/.test(policy) ? 1 : 0);
    for (const message of messages) {
      expect(github.forge.on(7)[0]?.body).toContain(`- ${message}`);
      expect(stderr).toContain(message.replaceAll('`', ''));
    }
  });

  it('gets no secrets', async () => {
    await using github = await onGitHub(oneMove);
    await github.ci('plan', '--policy', 'env > variables');
    const variables = await github.harness.read('variables');
    expect(variables).toContain('WEBDATA_API_URL=');
    expect(variables).not.toMatch(/WEBDATA_API_KEY|GITHUB_TOKEN/);
  });

  it('is for declarations only', async () => {
    await using github = await onGitHub(oneMove);
    expect(await github.ci('plan', '--front', 'pulumi', '--policy', 'true')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--policy with --front webdata'),
    });
  });
});
