// Reports faults of the queue that were handled: they are neither thrown nor swallowed.

export type QueueFaultPlace =
  | 'producer'
  | 'worker'
  | 'wake'
  | 'job'
  | 'canary'
  | 'reset-watch'
  | 'rebuild'
  | 'close';

export type FaultReport = (place: QueueFaultPlace, error: unknown) => void;
