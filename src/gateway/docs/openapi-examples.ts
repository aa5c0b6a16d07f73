// Adds the examples to the OpenAPI document: bodies alongside their schema, query parameters one by one.

import { METHODS } from '../order-api/method-table.ts';
import { REST_EXAMPLES, type RestExample } from './rest-examples.ts';

interface Parameter {
  readonly in?: string;
  readonly name?: string;
  example?: unknown;
}

interface Operation {
  readonly requestBody?: { readonly content?: Record<string, { example?: unknown }> };
  readonly parameters?: readonly Parameter[];
}

export interface OpenApiDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
}

const METHOD_PREFIX = '/api/';

/** Changes the document in place. */
export function addExamples(document: OpenApiDocument): void {
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    const example = exampleOf(path);
    if (example === undefined) continue;
    for (const operation of Object.values(operations ?? {})) addTo(operation as Operation, example);
  }
}

function exampleOf(path: string): RestExample | undefined {
  if (!path.startsWith(METHOD_PREFIX)) return REST_EXAMPLES[path.split('/').at(-1) ?? ''];
  const method = METHODS.get(path.slice(METHOD_PREFIX.length));
  return method && { body: { rid: 1, method: method.name, params: method.example } };
}

function addTo(operation: Operation, { body, query = {} }: RestExample): void {
  const content = operation.requestBody?.content?.['application/json'];
  if (content !== undefined && body !== undefined) content.example = body;
  for (const parameter of operation.parameters ?? []) {
    const value = parameter.in === 'query' ? query[parameter.name ?? ''] : undefined;
    if (value !== undefined) parameter.example = value;
  }
}
