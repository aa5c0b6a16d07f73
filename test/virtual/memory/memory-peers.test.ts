import { describe } from 'vitest';
import { MemoryPeers } from '../../../src/virtual/memory/memory-peers.ts';
import { enginePeersConformance } from '../../conformance/deployment/engine-peers.ts';

describe('MemoryPeers', () => {
  enginePeersConformance(() => {
    const peers = new MemoryPeers();
    let opened = 0;
    return Promise.resolve({
      peers,
      open: (answer) => {
        opened += 1;
        const address = `engine ${opened}`;
        peers.add(address, answer);
        return Promise.resolve(address);
      },
      end: (address) => Promise.resolve(peers.remove(address)),
    });
  });
});
