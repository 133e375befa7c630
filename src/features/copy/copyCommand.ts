/** `webdata emulator --copy`: a copy of the live account on this machine. */
import { printableText } from '../../base/values/printable.ts';
import type { EmulatorExtension } from '../../cli/commands/emulator.ts';
import { withContext } from '../../cli/execution/commandContext.ts';
import { declarationFiles } from '../../engine/doors/connection.ts';
import { configIfAny } from '../../engine/doors/declaration.ts';

/** Commands with the printed variables reach the copy, or are refused. */
export const copyOfAccount: EmulatorExtension = {
  addOption: (command) =>
    void command.option(
      '--copy',
      'start with a copy of the live account, which is only read, and print the variables to set',
    ),
  flag: 'copy',
  examples: {
    'webdata emulator --copy --manager-port 0': 'a copy of the live account, to rehearse on; the account is only read',
    'webdata emulator --copy --fail-at 2 --failure lost-answer': 'the same, where the second call fails',
  },
  async start(flags, options, io) {
    const [{ readLiveAccount }, { startCopy }, { assertLeadsToCopy, variablesOf }] = await Promise.all([
      import('./liveAccount.ts'),
      import('./startCopy.ts'),
      import('./variables.ts'),
    ]);
    const read = await withContext(flags, io, async ({ config, session }) => ({
      config,
      account: await readLiveAccount(config, session),
    }));
    const copy = await startCopy(read.account, read.config, options);
    const variables = variablesOf(copy.replacements, io.env);
    try {
      const { file } = flags;
      const rehearsing = await configIfAny({ ...(file && { file }) }, { ...io, env: { ...io.env, ...variables } });
      assertLeadsToCopy(rehearsing, Object.values(variables), declarationFiles(file));
    } catch (error) {
      await copy.close();
      throw error;
    }
    const origin = printableText(read.config.service.url ?? 'the account');
    const intro = `A copy of ${origin} is running: ${copy.content}. The account was only read, and the copy has neither its earlier runs nor its baseline.`;
    return { ...copy, variables, intro };
  },
};
