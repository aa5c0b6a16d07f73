// The real exchange in a process of its own, with the recording front before it.
import { must } from '../../../../src/values/assert.ts';
import {
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startExchange,
} from '../../../support/daemon/daemon-process.ts';
import { RecordingFront } from './recording-front.ts';

/** A key of `config/exchange.yaml` as Deribit's clients use it: the id and the secret's text. */
export const TRADER = {
  id: 'demo-taker',
  secret: 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
};

export class ClientStage {
  readonly front: RecordingFront;
  readonly #files: DaemonFiles;
  readonly #exchange: Daemon;

  private constructor(parts: { front: RecordingFront; files: DaemonFiles; exchange: Daemon }) {
    this.front = parts.front;
    this.#files = parts.files;
    this.#exchange = parts.exchange;
  }

  static async start(deployment: string): Promise<ClientStage> {
    const files = daemonFiles(deployment, 'config/exchange.yaml');
    const exchange = await startExchange(files);
    const front = await RecordingFront.before(exchange.url);
    return new ClientStage({ files, exchange, front });
  }

  /** The same question over our own wire. */
  async own(method: string, params: object = {}): Promise<ReturnType<typeof JSON.parse>> {
    const response = await fetch(`${this.#exchange.url}/api/${method}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(params),
    });
    const { result } = (await response.json()) as { result?: unknown };
    return must(result, method);
  }

  output(): string {
    return this.#exchange.output();
  }

  async close(): Promise<void> {
    await this.front.close();
    await this.#exchange.end('SIGTERM');
    this.#files.remove();
  }
}
