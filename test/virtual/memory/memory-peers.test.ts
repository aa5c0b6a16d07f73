import { describe } from 'vitest';
import { MemoryPeers } from '../../../src/virtual/memory/memory-peers.ts';
import { enginePeersConformance } from '../../conformance/deployment/engine-peers.ts';

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
