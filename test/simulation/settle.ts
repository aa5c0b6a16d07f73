// Lets everything that was begun come to rest: one turn of the event loop runs every promise that can go on.

export const settle = (): Promise<void> => new Promise((done) => void setImmediate(done));
