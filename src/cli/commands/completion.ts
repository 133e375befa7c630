/** `webdata completion SHELL`. */
import { Argument, type Command } from 'commander';
import { scripts } from '../completion/scripts.ts';
import { addExamples } from '../options/values.ts';
import { exitCodes, type Shell } from '../output/io.ts';

export function addCompletion(command: Command, { io, end }: Shell): void {
  command
    .addArgument(new Argument('<shell>', 'shell that reads the script').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => {
      io.stdout.write(scripts[shell]);
      end(exitCodes.done);
    });
  addExamples(command, {
    'webdata completion bash': 'append to ~/.bashrc',
    'webdata completion zsh': 'save as _webdata in a folder of $fpath',
    'webdata completion fish': 'save as ~/.config/fish/completions/webdata.fish',
  });
}
