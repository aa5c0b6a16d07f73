import { describe } from 'vitest';
import { enginePeersConformance } from '../../conformance/deployment/engine-peers.ts';
import { MemoryPeers } from '../../doubles/memory/memory-peers.ts';

describe('MemoryPeers', () => {
  enginePeersConformance(() => {
    const peers = new MemoryPeers();
    let opened = 0;
    return Promise.resolve({
      peers,
      open: (answer, notify) => {
        opened += 1;
        const address = `engine ${opened}`;
        peers.add(address, answer, notify);
        return Promise.resolve(address);
      },
      end: (address) => Promise.resolve(peers.remove(address)),
    });
  });
});
