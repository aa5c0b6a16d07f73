// Generates the page of the controls: definition, code, test and options of each, from the table in the code
// and the configuration schema.
import { CONTROL_TABLE, type ControlRow } from '../../core/risk/gate/control-table.ts';
import type { JsonSchema } from '../json-schema.ts';

const INTRODUCTION = `# Controls

<!-- Made from the table of controls by \`npm run -s twapd -- schema\`; edit the table instead. -->

What stands between a decision and a venue. Children of portfolios, manual orders, Block RFQs, quotes and accepts all
pass one gate (\`src/engine/risk/gate.ts\`), in the process that sends, in the moment of sending; venues take nothing that the
gate has not cleared, which the compiler holds (\`src/ports/cleared.ts\`). New orders, edits and reprices are judged alike.
An input that is missing or cannot be used blocks. A refusal names control, limit, value and version of the rules; it is in
the portfolio's events, in the log and in \`twapd_control_refusals_total\` by control. Cancels are never judged.
How to let one order past one control: \`docs/operations.md\`. Numbers and names are the same in code, log and metrics.
`;

/** Returns Markdown. */
export function controlPage(config: JsonSchema): string {
  return [INTRODUCTION, ...CONTROL_TABLE.map((row) => section(row, config))].join('\n');
}

function section(
  { number, name, title, definition, ...row }: ControlRow,
  config: JsonSchema,
): string {
  const told = name === undefined ? '' : ` (\`${name}\`)`;
  const options = row.keys.map((key) => `\`${key}\`${defaultText(key, config)}`);
  const lines = [
    ['Code', row.code.map((path) => `\`${path}\``).join(', ')],
    ['Test', row.test.map((path) => `\`${path}\``).join(', ')],
    ['Options', options.join(', ') || 'none'],
  ].map(([what, text]) => `- ${what}: ${text}`);
  return `## ${number} ${title}${told}\n\n${definition}\n\n${lines.join('\n')}\n`;
}

/** The default, if the schema has one. */
function defaultText(key: string, config: JsonSchema): string {
  let at: JsonSchema | undefined = config;
  for (const name of key.split('.')) at = at?.properties?.[name];
  const byDefault = at?.default;
  if (byDefault === undefined) return '';
  const text = typeof byDefault === 'string' ? byDefault : JSON.stringify(byDefault);
  return ` (default \`${text}\`)`;
}
