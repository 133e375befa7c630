/** `webdata completion SHELL`: a script that asks the hidden `webdata complete` for what may stand at the cursor. */
import { Argument, type Command } from 'commander';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { zshScript } from '../completion/zsh.ts';
import { examples } from '../options/examples.ts';
import { exitCodes, type Shell } from '../output/io.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export function addCompletion(command: Command, { io, end }: Shell): void {
  command
    .addArgument(new Argument('<shell>', 'the shell that reads the script').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      examples({
        'webdata completion bash': 'for the end of ~/.bashrc',
        'webdata completion zsh': 'for a file _webdata in a folder of $fpath',
        'webdata completion fish': 'for ~/.config/fish/completions/webdata.fish',
      }),
    )
    .action((shell: keyof typeof scripts) => {
      io.stdout.write(scripts[shell]);
      end(exitCodes.done);
    });
}
