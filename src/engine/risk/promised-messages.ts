// Holds message budget for the orders of a turn from its decision to the moment they are sent, so that portfolios that
// are decided at the same time do not all count on the same message.
import type { VenueDirectory } from '../../ports/venue.ts';
import { venueOf } from '../portfolio-venue.ts';
import type { TurnPromises } from '../turns/committed-turn.ts';
import type { Gate } from './gate.ts';

export interface PromisedMessagesOptions {
  readonly venues: VenueDirectory;
  readonly gate: Pick<Gate, 'promise' | 'withdraw'>;
}

type Decided = Parameters<TurnPromises['decided']>[0];

export class PromisedMessages implements TurnPromises {
  readonly #options: PromisedMessagesOptions;

  constructor(options: PromisedMessagesOptions) {
    this.#options = options;
  }

  decided({ state, intents }: Decided): void {
    const { venues, gate } = this.#options;
    for (const intent of intents) {
      if (intent.kind !== 'place') continue;
      const [venue, { accountId: account }] = [venueOf(venues, state), state.spec];
      gate.promise(intent.label, { venue, account, instrument: intent.instrument });
    }
  }

  undone({ intents }: Decided): void {
    for (const intent of intents) {
      if (intent.kind === 'place') this.#options.gate.withdraw(intent.label);
    }
  }
}
