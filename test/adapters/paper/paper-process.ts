// A separate process that trades on a paper venue endlessly and prints each label that was answered. Started
// and killed by the restart test.
import { JournalFile } from '../../../src/adapters/paper/journal/journal-file.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import { price } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { childLabelOf } from '../../../src/values/ids.ts';
import { anOrder, BTC, paperVenue } from './paper-stage.ts';

const path = must(process.argv[2], 'the path of the journal');
const store = new JournalFile(path);
const venue = paperVenue(new SystemClock(), { journal: { store, rotateBytes: 20_000 } });
venue.watch(BTC);

for (let number = 0; ; number += 1) {
  const bid = must(venue.quote(BTC)?.bid, 'a bid').price;
  const label = childLabelOf(`tw1-kill-1-0-0-${process.pid % 1_000}${number}`);
  const fills = number % 2 === 0;
  const answer = await venue.place(
    anOrder(venue, { label, side: fills ? 'sell' : 'buy', price: fills ? bid : price('85000') }),
  );
  if (answer.kind !== 'done') continue;
  const { orderId, state } = answer.value.order;
  process.stdout.write(`${label} ${orderId} ${state}\n`);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
