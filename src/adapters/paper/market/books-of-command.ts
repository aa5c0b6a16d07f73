// The books that a command of a user needs.
import type { UserCommand } from '../../../exchange/exchange-command.ts';
import type { InstrumentName } from '../../../values/ids.ts';

/** They have to be started before the exchange decides it. */
export function booksOf(command: UserCommand): readonly InstrumentName[] {
  if ('instrument' in command && command.instrument !== undefined) return [command.instrument];
  if (command.kind === 'create_combo') return command.trades.map(({ instrument }) => instrument);
  if (command.kind !== 'create_rfq') return [];
  const names = command.legs.map(({ instrument }) => instrument);
  return command.hedge === undefined ? names : [...names, command.hedge.instrument];
}
