// The metrics of two processes as one text.
import { describe, expect, test } from 'vitest';
import {
  isOfEngine,
  isOfGateway,
} from '../../../src/adapters/telemetry/metrics/gateway-families.ts';
import { mergeParts, onlyFamilies } from '../../../src/adapters/telemetry/metrics/merge-parts.ts';
import { createMetrics } from '../../../src/adapters/telemetry/metrics/metrics.ts';
import { readScrape } from './scrape.ts';

const metricsOf = () =>
  createMetrics({ version: '1', deployment: 'test', venues: ['paper'] }).registry.metrics();

describe('the metrics of engine and gateway', () => {
  test('each sample says of which part it is, and each family has one head', () => {
    const engine = '# HELP a An a.\n# TYPE a counter\na 1\na{b="}, c"} 2\n';
    const gateway = '# HELP a An a.\n# TYPE a counter\na 3\n\n# HELP d A d.\n# TYPE d gauge\nd 4\n';
    expect(
      mergeParts([
        { part: 'engine', text: engine },
        { part: 'gateway', text: gateway },
      ]),
    ).toBe(
      [
        '# HELP a An a.',
        '# TYPE a counter',
        'a{part="engine"} 1',
        'a{part="engine",b="}, c"} 2',
        'a{part="gateway"} 3',
        '',
        '# HELP d A d.',
        '# TYPE d gauge',
        'd{part="gateway"} 4',
        '',
      ].join('\n'),
    );
  });

  test('every family of the program is of one part or of both, and clients are counted by the gateway alone', async () => {
    const families = [...readScrape(await metricsOf()).types.keys()];
    expect(families.filter((name) => !isOfEngine(name) && !isOfGateway(name))).toEqual([]);
    const ofGatewayAlone = families.filter((name) => isOfGateway(name) && !isOfEngine(name));
    expect(ofGatewayAlone.sort()).toEqual([
      'twapd_auth_failures_total',
      'twapd_http_request_seconds',
      'twapd_http_requests_in_flight',
      'twapd_http_requests_total',
      'twapd_refusals_total',
      'twapd_ws_backlog_bytes',
      'twapd_ws_clients',
      'twapd_ws_dropped_total',
    ]);
    expect(isOfGateway('twapd_ready')).toBe(false);
    expect(isOfGateway('process_resident_memory_bytes')).toBe(true);
  });

  test('the merged text reads as one scrape without a family twice', async () => {
    const text = await metricsOf();
    const merged = mergeParts([
      { part: 'engine', text: onlyFamilies(text, isOfEngine) },
      { part: 'gateway', text: onlyFamilies(text, isOfGateway) },
    ]);
    const heads = merged.split('\n').filter((line) => line.startsWith('# TYPE'));
    expect(new Set(heads).size).toBe(heads.length);
    const samples = merged.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(samples.filter((line) => !/\{part="(engine|gateway)"/.test(line))).toEqual([]);
  });
});
