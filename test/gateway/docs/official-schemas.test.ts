// Validates the served documents against the schemas published with the two specifications.
import { createRequire } from 'node:module';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GatewayUnderTest } from '../gateway-under-test.ts';

const require = createRequire(import.meta.url);
let gateway: GatewayUnderTest;
beforeEach(async () => {
  gateway = await GatewayUnderTest.start();
});
afterEach(() => gateway.close());

it('the AsyncAPI document is valid against the schema of AsyncAPI 3.0', async () => {
  const schema = require('@asyncapi/specs/schemas/3.0.0.json');
  // The schema includes the meta-schema of JSON Schema.
  const ajv = new Ajv({ strict: false, allErrors: true, meta: false, validateSchema: false });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  const { json } = await gateway.request('/asyncapi.json', { by: null });
  expect(validate(json), JSON.stringify(validate.errors?.slice(0, 20), null, 1)).toBe(true);
  expect(validate({ ...json, channels: { x: { address: 7 } } })).toBe(false);
});

it('the OpenAPI document is valid against the schema of OpenAPI 3.1', async () => {
  const { json } = await gateway.request('/openapi.json', { by: null });
  const validator = new Validator();
  const result = await validator.validate(json);
  expect(result.errors).toBeUndefined();
  expect(validator.version).toBe('3.1');
  expect((await validator.validate({ ...json, paths: 7 })).valid).toBe(false);
});
