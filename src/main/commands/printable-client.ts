// A client whose answers and news are printable, for commands that show them to people: nothing a label, a note, a
// name or a reason holds reaches the terminal as more than text.
import type { Client } from '../../gateway/client/client.ts';
import { printableData } from '../../values/printable.ts';

/** The same client; the values it gives are copies with every string printable. */
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
