// The lists of `docs/deribit-wire.md` that are made from what the tests ran: methods and channels by client, and the
// documented methods that are not served.
import { DERIBIT_METHODS } from '../../src/gateway/deribit/deribit-method-table.ts';
import { listItem } from '../../src/main/pages/wrap-text.ts';
import { METHOD_SHAPES, NOT_SERVED } from '../gateway/deribit/shapes/method-shapes.ts';
import { ran } from './ran.ts';

interface Column {
  readonly client: string;
  readonly head: string;
  readonly mark: string;
}

const COLUMNS: readonly Column[] = [
  { client: 'ccxt REST', head: 'ccxt', mark: '●' },
  { client: 'ccxt pro', head: 'ccxt pro', mark: '●' },
  { client: 'tardis-dev', head: 'tardis-dev', mark: '●' },
  { client: 'NautilusTrader', head: 'NautilusTrader', mark: '○' },
  { client: 'cryptofeed', head: 'cryptofeed', mark: '○' },
  { client: 'GoCryptoTrader', head: 'GoCryptoTrader', mark: '○' },
  { client: 'EL samples', head: 'EL samples', mark: '○' },
];

const BEGIN = (name: string): string => `<!-- generated: ${name} -->`;
const END = '<!-- end -->';

/** An item for each client, with what it uses of `rows`. */
function list(rows: readonly string[], nameOf = (row: string) => row): string {
  const used = ran();
  const items = COLUMNS.flatMap(({ client, head, mark }) => {
    const own = rows.filter((row) => used[client]?.includes(row));
    const names = own.map((row) => `\`${nameOf(row)}\``).join(', ');
    return own.length === 0 ? [] : [listItem(`${mark} ${head}: ${names}`)];
  });
  return items.join('\n');
}

function tables(): ReadonlyMap<string, string> {
  const methods = Object.keys(METHOD_SHAPES).filter((name) => DERIBIT_METHODS.has(name));
  const channels = new Set(
    Object.values(ran())
      .flat()
      .filter((one) => one.startsWith('channel ')),
  );
  const used = new Set(COLUMNS.flatMap(({ client }) => ran()[client] ?? []));
  const unused = methods.filter((name) => !used.has(name)).map((name) => `\`${name}\``);
  const others = listItem(`none of them, though served: ${unused.join(', ')}`);
  const absent = Object.entries(NOT_SERVED).map(([name, why]) => listItem(`\`${name}\`: ${why}`));
  return new Map([
    ['methods', `${list(methods)}\n${others}`],
    ['channels', list([...channels].sort(), (row) => row.slice('channel '.length))],
    ['not served', absent.join('\n')],
  ]);
}

/** The page with its generated lists as they must be. */
export function withTables(page: string): string {
  let written = page;
  for (const [name, text] of tables()) {
    const from = written.indexOf(BEGIN(name));
    const to = written.indexOf(END, from);
    if (from < 0 || to < 0) throw new Error(`the page has no place for the list of ${name}`);
    written = `${written.slice(0, from)}${BEGIN(name)}\n\n${text}\n\n${written.slice(to)}`;
  }
  return written;
}
