// A client whose replies and news are printable, for commands that show them to people: labels, notes, names
// and reasons cannot send control sequences to the terminal.
import type { Client } from '../../gateway/client/client.ts';
import { printableData } from '../../values/printable.ts';

/** Returns the same client; its values are copies with every string made printable. */
export const printableClient = (client: Client): Client =>
  new Proxy(client, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...words: readonly unknown[]) => shown(member.apply(target, words) as Given);
    },
  });

type Given = Promise<unknown> | AsyncGenerator<unknown, void>;

const shown = (given: Given): Given =>
  given instanceof Promise ? given.then(printableData) : shownItems(given);

async function* shownItems(items: AsyncGenerator<unknown, void>): AsyncGenerator<unknown, void> {
  for await (const item of items) yield printableData(item);
}
