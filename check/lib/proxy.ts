import type { ClientRequestArgs } from 'node:http';
import { type Duplex, PassThrough } from 'node:stream';

import http = require('node:http');
import https = require('node:https');
import tls = require('node:tls');

interface Target extends ClientRequestArgs {
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/** Reaches every host through an HTTP proxy (RFC 9110 section 9.3.6), so that the command needs no package for it. */
export class ProxyAgent extends https.Agent {
  private readonly proxy: URL;

  /** @param proxy - With user name and password, if the proxy wants them. */
  constructor(proxy: URL) {
    super();
    this.proxy = proxy;
    // It may have a password.
    Object.defineProperty(this, 'proxy', { enumerable: false });
  }

  override createConnection(
    { host, port, servername = '', rejectUnauthorized = true }: Target,
    callback: (error: Error | null, socket: Duplex) => void = () => {},
  ): undefined {
    const { protocol, username, password } = this.proxy;
    const target = `${host?.includes(':') ? `[${host}]` : host}:${port}`;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const request = (protocol === 'https:' ? https : http).request({
      hostname: this.proxy.hostname.replace(/^\[|\]$/g, ''),
      port: this.proxy.port,
      method: 'CONNECT',
      path: target,
      agent: false,
      headers: {
        host: target,
        ...(username && { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
      },
    });
    const fail = (code: string) => {
      request.destroy();
      // The second argument means nothing beside an error.
      callback(Object.assign(new Error('the proxy gives no connection'), { code }), new PassThrough());
    };
    // The request that waits for this connection has a deadline; alone, a proxy that hangs keeps no process alive.
    request.once('socket', (socket) => socket.unref());
    request.once('connect', ({ statusCode }, socket) => {
      if (statusCode !== 200) return fail(`PROXY_HTTP_${statusCode}`);
      return callback(
        null,
        tls.connect({ socket: socket.ref(), host: String(host), servername, rejectUnauthorized }),
      );
    });
    request.once('error', ({ code = 'PROXY_FAILED' }: NodeJS.ErrnoException) => fail(code));
    request.end();
  }
}
