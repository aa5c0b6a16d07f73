// The files generated from the schemas: JSON Schemas with which editors complete and check YAML, the table of
// options, and the page of the order methods.
import { z } from 'zod';
import { portfolioBodySchema } from '../gateway/portfolios/submit/submit-schema.ts';
import { configSchema } from './config/config-schema.ts';
import { optionTable } from './config/option-table.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { controlPage } from './pages/control-page.ts';
import { methodPage } from './pages/method-page.ts';
import { strategyShape } from './strategy/strategy-schema.ts';

/** Maps paths from the root of the project to content. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const config = jsonSchemaOf(configSchema);
  return new Map([
    ['config/config.schema.json', jsonText('twapd configuration', config)],
    ['strategies/strategy.schema.json', jsonText('twapd strategy', strategyJsonSchema())],
    ['docs/configuration.md', optionTable(config)],
    ['docs/order-methods.md', methodPage()],
    ['docs/controls.md', controlPage(config)],
  ]);
}

/** The strategy schema with the submit body in it; `execution` may be in either. */
function strategyJsonSchema(): JsonSchema {
  const body = jsonSchemaOf(portfolioBodySchema, { inFiles: true });
  const execution = body.properties?.['execution'] ?? {};
  const frame = jsonSchemaOf(z.strictObject(strategyShape));
  return {
    ...frame,
    properties: { ...frame.properties, portfolio: body, execution },
    required: [...(frame.required ?? []), 'portfolio'],
  };
}

const jsonText = (title: string, schema: JsonSchema): string =>
  `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema }, null, 2)}\n`;
