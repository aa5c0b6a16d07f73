// Merges the metrics of the processes of one daemon into one text: each sample gets the label `part`, and the samples of a
// family stand together, as the text format requires.

export interface PartText {
  readonly part: string;
  /** As its own GET /metrics would answer. */
  readonly text: string;
}

interface Family {
  /** The lines HELP and TYPE. */
  readonly head: string[];
  readonly samples: string[];
}

const HEAD = /^# (?:HELP|TYPE) (\S+)/;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(\{)?/;

export function mergeParts(parts: readonly PartText[]): string {
  const families = new Map<string, Family>();
  for (const { part, text } of parts) addTo(families, part, text);
  const texts = [...families.values()].map(({ head, samples }) => [...head, ...samples].join('\n'));
  return `${texts.join('\n\n')}\n`;
}

function addTo(families: Map<string, Family>, part: string, text: string): void {
  let family: Family | undefined;
  for (const line of text.split('\n')) {
    const name = HEAD.exec(line)?.[1];
    if (name !== undefined) {
      const known = families.get(name);
      family = known ?? { head: [], samples: [] };
      families.set(name, family);
      if (!family.head.includes(line) && family.head.length < 2) family.head.push(line);
    } else if (line !== '' && !line.startsWith('#')) family?.samples.push(labelled(line, part));
  }
}

const labelled = (line: string, part: string): string =>
  line.replace(SAMPLE, (_, name: string, brace?: string) =>
    brace === undefined ? `${name}{part="${part}"}` : `${name}{part="${part}",`,
  );

/** Only those families whose names `isWanted` accepts. */
export function onlyFamilies(text: string, isWanted: (name: string) => boolean): string {
  let isTaken = false;
  return text
    .split('\n')
    .filter((line) => {
      const name = HEAD.exec(line)?.[1];
      if (name !== undefined) isTaken = isWanted(name);
      return isTaken;
    })
    .join('\n');
}
