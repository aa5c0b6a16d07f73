// `completion SHELL`: prints a script with which bash, zsh or fish complete commands, options and values.
import { Argument } from 'commander';
import type { AddCommand } from '../command.ts';
import { bashCompletion } from './bash-completion.ts';
import { completedCommand } from './completed-command.ts';
import { fishCompletion } from './fish-completion.ts';
import { zshCompletion } from './zsh-completion.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
type Shell = keyof typeof SCRIPTS;

const INSTALLATION = `
To install it:
  bash  echo 'source <(twapd completion bash)' >> ~/.bashrc
  zsh   echo 'source <(twapd completion zsh)' >> ~/.zshrc       after the line with compinit
  fish  twapd completion fish > ~/.config/fish/completions/twapd.fish
`;

export const addCompletion: AddCommand = (program, terminal) => {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'whose script').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', INSTALLATION)
    .action((shell: Shell) => terminal.print(SCRIPTS[shell](completedCommand(program)).trimEnd()));
};
