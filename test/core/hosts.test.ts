import { expect } from 'chai';
import { isLoopback } from '../../lib/core/hosts.js';

describe('hosts', () => {
  it('T1: this machine is localhost, its subdomains, 127.0.0.0/8 and [::1]; other hosts only look like it', () => {
    const own = 'localhost app.localhost 127.0.0.1 127.255.0.9 [::1] 0x7f.1 LOCALHOST';
    const others = 'localhost.example 127.0.0.1.example notlocalhost 128.0.0.1 [::2] 10.0.0.1 0.0.0.0';
    const isOwn = (host: string) => isLoopback(new URL(`http://${host}/`));
    for (const host of own.split(' ')) expect(isOwn(host), host).to.equal(true);
    for (const host of others.split(' ')) expect(isOwn(host), host).to.equal(false);
  });
});
