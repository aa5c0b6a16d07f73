import { describe } from 'vitest';
import { MemoryEventBus } from '../../../src/virtual/memory/memory-event-bus.ts';
import { eventBusConformance } from '../../conformance/event-bus.ts';

describe('MemoryEventBus', () => {
  eventBusConformance((onFault) => new MemoryEventBus(onFault));
});
