import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, it } from 'vitest';
import { openTraces } from '../../../src/adapters/telemetry/traces/open-traces.ts';
import { SliceSpans } from '../../../src/adapters/telemetry/traces/slice-spans.ts';
import { fold } from '../../../src/core/portfolio/aggregate/replay.ts';
import { must } from '../../../src/values/assert.ts';
import { form, submitted, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';

/** The events of a portfolio that ran to its end, and its state. */
async function course() {
  const w = world();
  w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
  await w.engine.start();
  const id = await submitted(w, form());
  await w.run(120_000);
  return { events: w.observer.events, state: must(fold(id, w.observer.events), 'over') };
}

describe('the trace of a slice', () => {
  it('the trace of a slice runs from due to done, with its child orders as spans and their fills as events', async () => {
    const { events, state } = await course();
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    });
    const spans = new SliceSpans(provider.getTracer('test'));
    for (const event of events) spans.see(event, state);
    const ended = exporter.getFinishedSpans();
    const slices = ended.filter(({ name }) => name === 'slice');
    const children = ended.filter(({ name }) => name === 'child order');
    const started = events.filter(({ kind }) => kind === 'slice_started');
    expect(slices).toHaveLength(started.length);
    expect(children).toHaveLength(events.filter(({ kind }) => kind === 'child_intended').length);
    const [first] = started;
    if (first?.kind !== 'slice_started') throw new Error('no slice');
    expect(slices[0]?.startTime).toEqual([
      Math.floor(first.dueAt / 1_000),
      (first.dueAt % 1_000) * 1e6,
    ]);
    for (const child of children) {
      const parent = slices.find(
        (one) => one.spanContext().spanId === child.parentSpanContext?.spanId,
      );
      expect(parent?.spanContext().traceId).toBe(child.spanContext().traceId);
      expect(child.events.map(({ name }) => name)).toContain('fill');
    }
  });
});

describe('traces', () => {
  const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
  afterEach(() => {
    delete process.env[ENDPOINT];
  });
  const about = { version: '1', deployment: 'test' };

  it('traces are off if no endpoint is named, or if they are disabled', async () => {
    expect(await openTraces({}, about)).toBeUndefined();
    const named = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    expect(await openTraces({ ...named, OTEL_SDK_DISABLED: 'true' }, about)).toBeUndefined();
  });

  it('traces reach the configured endpoint when they are closed', async () => {
    const paths: string[] = [];
    const collector = createServer((request, response) => {
      paths.push(`${request.method} ${request.url}`);
      request.resume().on('end', () => response.writeHead(200).end());
    });
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const { port } = collector.address() as AddressInfo;
    process.env[ENDPOINT] = `http://127.0.0.1:${port}`;
    try {
      const traces = must(await openTraces(process.env, about), 'named');
      const { events, state } = await course();
      for (const event of events) traces.spans.see(event, state);
      await traces.close();
      expect(paths).toContain('POST /v1/traces');
    } finally {
      collector.closeAllConnections();
      collector.close();
    }
  });
});
