// `ledger key`: makes the pair of keys that signs heads of the ledger.

import type { Command } from 'commander';
import { writeWhole } from '../../../adapters/files/whole-file.ts';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import { printable } from '../../../values/printable.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Terminal } from '../command.ts';

export function addLedgerKey(ledger: Command, terminal: Terminal): void {
  ledger
    .command('key')
    .argument('<file>', 'new file for the private key; FILE.pub gets the public one')
    .description('make the key that signs heads of the ledger for its witness')
    .action(async (path: string) => {
      const { newKeyPair } = await import('../../witness/signed-head.ts');
      const { privateKey, publicKey } = newKeyPair();
      // The public one first: a private key is not left behind where its pair exists already.
      writeNew(`${path}.pub`, publicKey, 0o644);
      writeNew(path, privateKey, 0o600);
      const shown = printable(path);
      terminal.print(
        `${shown} has the private key: ledger.witness: { key: file:${shown} }\n` +
          `${shown}.pub has the public key: twapd audit --witness PLACE --public-key ${shown}.pub\n` +
          'Keep the public key away from this machine and its database.',
      );
    });
}

function writeNew(path: string, text: string, mode: number): void {
  try {
    writeWhole(path, text, { mode, isNew: true });
  } catch (error) {
    throwProgrammingError(error);
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailure('refused', [
      `${printable(path)} cannot be written (${code}); accepted: a path without a file`,
    ]);
  }
}
