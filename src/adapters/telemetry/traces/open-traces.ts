// Exports traces as OpenTelemetry's environment variables specify. Without an endpoint its libraries are not
// even loaded.
import type { SliceSpans } from './slice-spans.ts';

export interface Traces {
  readonly spans: SliceSpans;
  /** Sends pending spans, within a bounded time. */
  close(): Promise<void>;
}

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const;
const CLOSE_MS_MAX = 2_000;

/** `undefined` if no endpoint is named, or if OTEL_SDK_DISABLED is `true`. */
export async function openTraces(
  environment: Readonly<Record<string, string | undefined>>,
  about: { readonly version: string; readonly deployment: string },
): Promise<Traces | undefined> {
  const isOff = environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true';
  if (isOff || ENDPOINTS.every((name) => (environment[name] ?? '') === '')) return undefined;
  const [{ BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, resources, own] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('./slice-spans.ts'),
    ]);
  const provider = new BasicTracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': environment['OTEL_SERVICE_NAME'] ?? 'twapd',
      'service.version': about.version,
      'deployment.environment.name': about.deployment,
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  return {
    spans: new own.SliceSpans(provider.getTracer('twapd', about.version)),
    close: async () => {
      const late = new Promise<void>((done) => setTimeout(done, CLOSE_MS_MAX).unref());
      // An unreachable collector must not delay the end of the process. Unexamined: it is the last step, of traces alone.
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}
