// Where the queue tells what went wrong and was dealt with: never thrown, never swallowed.

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
