// Models of an order's position in a recorded queue.

/**
 * What a recorded level tells about the queue of a user's order in it. `arrival`: size that is added is behind the order, size
 * that is removed leaves from behind first. `behind`: all that is shown is ahead of it, whenever it came. `pro_rata`:
 * as `arrival`, but size that is cancelled leaves from ahead and from behind in proportion.
 */
export type QueueModel = 'arrival' | 'behind' | 'pro_rata';
