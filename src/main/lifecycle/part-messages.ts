// What the supervisor and the parts of a daemon say to each other, over the channel that Node opens with a child process.
import process from 'node:process';

export type PartName = 'engine' | 'gateway';

/** The stores of a daemon. */
export interface DaemonStores {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** The stores are up and their schema is current: a gateway may open them while its engine still starts. */
interface StoresOpened {
  readonly kind: 'stores';
  readonly stores: DaemonStores;
}

/** The engine serves gateways from now on. */
interface EngineOpened {
  readonly kind: 'engine';
  /** Of its link. */
  readonly address: string;
}

/** The gateway accepts requests. */
interface GatewayListens {
  readonly kind: 'listening';
  readonly port: number;
}

/** Signals are handled from now on: before, one would end the process. */
interface HandlesSignals {
  readonly kind: 'handling';
}

export type PartMessage = StoresOpened | EngineOpened | GatewayListens | HandlesSignals;

/** From the supervisor to the gateway: the stores and the address of the engine, whenever one begins. */
export type SupervisorMessage = StoresOpened | EngineOpened;

/** Whether this process was started by a supervisor. */
export const isSupervised = (): boolean => process.send !== undefined && process.connected;

export function tellSupervisor(message: PartMessage): void {
  if (isSupervised()) process.send?.(message);
}

/** Calls `listener` for every message of the supervisor. */
export function hearSupervisor(listener: (message: SupervisorMessage) => void): void {
  process.on('message', (message: SupervisorMessage) => listener(message));
}
