import { expect } from 'chai';
import { isLoopback, parseURL } from '../../lib/core/hosts.js';

describe('hosts', () => {
  it('T1: this machine is localhost, its subdomains, 127.0.0.0/8 and [::1]; other hosts only look like it', () => {
    const own = 'localhost app.localhost 127.0.0.1 127.255.0.9 [::1] 0x7f.1 LOCALHOST';
    const others = 'localhost.example 127.0.0.1.example notlocalhost 128.0.0.1 [::2] 10.0.0.1 0.0.0.0';
    const isOwn = (host: string) => isLoopback(new URL(`http://${host}/`));
    for (const host of own.split(' ')) expect(isOwn(host), host).to.equal(true);
    for (const host of others.split(' ')) expect(isOwn(host), host).to.equal(false);
  });

  it('a URL with a letter beyond ASCII is one, however often it is parsed', () => {
    // Node 20 compiles a function that is called often, and its URL.canParse then denies such URLs.
    let denied = 0;
    for (let time = 0; time < 200_000; time += 1) if (!parseURL('https://münchen.example/')) denied += 1;
    expect(denied).to.equal(0);
    for (const none of ['', '/path', 'https://', 'https://a b/']) expect(parseURL(none)).to.equal(undefined);
  });
});
