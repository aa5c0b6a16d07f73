// Parses the text exposition format, so that tests see what a scraper sees.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  readonly types: ReadonlyMap<string, string>;
  readonly help: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
}

const SAMPLE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/g;

/** Throws on a line that does not conform to the format. */
export function readScrape(text: string): Scrape {
  const types = new Map<string, string>();
  const help = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const [, kind, about = '', said = ''] = /^# (TYPE|HELP) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'TYPE') types.set(about, said);
    else if (kind === 'HELP') help.set(about, said);
    else if (line !== '') samples.push(readSample(line));
  }
  return { types, help, samples };
}

function readSample(line: string): Sample {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`no sample: ${line}`);
  const pairs = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text]);
  return {
    name,
    labels: Object.fromEntries(pairs),
    value: value === 'NaN' ? Number.NaN : Number(value),
  };
}

/** Sum of the samples of `name` that carry all of `labels`; `undefined` if there is none. */
export function sampleOf(
  scrape: Scrape,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = scrape.samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

/** `name{label="value"}` of every sample that changed or is new in `after`. */
export function movedBetween(before: Scrape, after: Scrape): readonly string[] {
  const was = new Map(before.samples.map((sample) => [keyOf(sample), sample.value]));
  return after.samples
    .filter((sample) => (was.get(keyOf(sample)) ?? 0) !== sample.value)
    .map(keyOf)
    .filter((key) => key.startsWith('twapd_'));
}

const keyOf = ({ name, labels }: Sample): string => {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;
};
