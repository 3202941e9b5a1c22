import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import type * as Ports from '../../../examples/cluster/ports.js';
import { load } from './modules.js';

describe('the ports of the cluster example', () => {
  it('are free, distinct and outside the range of outgoing connections', async () => {
    const { freePorts } = await load<typeof Ports>('ports.js');
    const ports = await freePorts(100);
    expect(new Set(ports)).to.have.length(100);
    for (const port of ports) {
      expect(port).to.be.within(1_024, 32_767);
      const server = createServer().listen(port, '127.0.0.1');
      await once(server, 'listening');
      await once(server.close(), 'close');
    }
  });
});
