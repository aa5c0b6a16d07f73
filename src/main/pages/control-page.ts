// Generates the page of the controls: definition, code, test and options of each, from the table in the code
// and the configuration schema.
import { CONTROL_TABLE, type ControlRow } from '../../core/risk/gate/control-table.ts';
import type { JsonSchema } from '../json-schema.ts';

const INTRODUCTION = `# Controls

<!-- Made from the table of controls by \`./twapd schema\`; edit the table instead. -->

Every request passes these checks before it is sent. Child orders, manual orders, Block RFQs, quotes and
accepts pass one gate (\`src/engine/risk/gate.ts\`), in the process that sends them; a venue accepts
only what the gate has cleared, which the compiler enforces (\`src/ports/cleared.ts\`). New orders, edits and reprices are
checked alike. A missing or unusable input blocks the request. A refusal names the control, the limit, the value and
the version of the rules; it is recorded in the portfolio's events, the log and \`twapd_control_refusals_total\` by
control. Cancels are never checked. How to exempt one order from one control: \`docs/operations.md\`. Numbers and names are
the same in code, log and metrics.
`;

/** Returns Markdown. */
export function controlPage(config: JsonSchema): string {
  return [INTRODUCTION, ...CONTROL_TABLE.map((row) => section(row, config))].join('\n');
}

function section(
  { number, name, title, definition, ...row }: ControlRow,
  config: JsonSchema,
): string {
  const nameText = name === undefined ? '' : ` (\`${name}\`)`;
  const options = row.keys.map((key) => `\`${key}\`${defaultText(key, config)}`);
  const lines = [
    ['Code', row.code.map((path) => `\`${path}\``).join(', ')],
    ['Test', row.test.map((path) => `\`${path}\``).join(', ')],
    ['Options', options.join(', ') || 'none'],
  ].map(([what, text]) => `- ${what}: ${text}`);
  return `## ${number} ${title}${nameText}\n\n${definition}\n\n${lines.join('\n')}\n`;
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
