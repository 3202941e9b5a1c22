// @ts-check
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts, isListening } from './ports.js';
import { end, makeFolder, removeFolder, runServer } from './processes.js';

const NGINX = '/usr/sbin/nginx';

export const hasNginx = existsSync(NGINX);

/** nginx in front of the instances: each request goes to the next one, whoever sends it. */
export class Balancer {
  /**
   * @private
   * @param {string} url
   * @param {string} folder
   * @param {import('node:child_process').ChildProcess} nginx
   */
  constructor(url, folder, nginx) {
    /** Without a slash at its end. */
    this.url = url;
    this.folder = folder;
    this.nginx = nginx;
  }

  /**
   * @param {readonly number[]} instances Their ports on this machine
   * @param {number} [ownPort]
   */
  static async start(instances, ownPort) {
    const folder = makeFolder('cluster-nginx');
    const [port = 0] = ownPort === undefined ? await freePorts(1) : [ownPort];
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, configuration(port, instances));
    const nginx = runServer(NGINX, ['-p', folder, '-c', file, '-e', 'stderr'], folder, 'inherit');
    await isListening(port, nginx);
    return new Balancer(`http://127.0.0.1:${port}`, folder, nginx);
  }

  async stop() {
    await end(this.nginx);
    removeFolder(this.folder);
  }
}

/**
 * A request is passed on to another instance only where it has not reached the first one. nginx knows no such word:
 * with `proxy_next_upstream error` it repeats every GET whose answer was cut off, and a callback is a GET that works once. So
 * each request has one attempt, and a second one when nothing of it was sent in the first.
 *
 * @param {number} port
 * @param {readonly number[]} instances
 */
function configuration(port, instances) {
  return `daemon off;
worker_processes 1;
pid nginx.pid;
# That an instance cannot be reached is an "error" here, and no news.
error_log stderr crit;

events {
  worker_connections 1024;
}

http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;

  upstream instances {
${instances.map((instance) => `    server 127.0.0.1:${instance} max_fails=1 fail_timeout=1s;`).join('\n')}
    keepalive 32;
    # Shorter than the five seconds of Node: a request on a connection that Node is about to close would be cut off.
    keepalive_timeout 4s;
  }

  map $upstream_bytes_sent $has_reached_an_instance {
    default 1;
    0 0;
  }

  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-Host $http_host;
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_next_upstream off;
  proxy_connect_timeout 2s;
  proxy_read_timeout 30s;
  # The headers of an answer with a sealed cookie in it can be longer than the 4 KB of the default.
  proxy_buffer_size 16k;
  proxy_buffers 8 16k;

  server {
    listen 127.0.0.1:${port};

    location / {
      # Not the 502 of an instance, which goes to the browser as it is: that of nginx itself.
      error_page 502 504 = @another;
      proxy_pass http://instances;
    }

    location @another {
      if ($has_reached_an_instance) {
        return 502;
      }
      proxy_pass http://instances;
    }
  }
}
`;
}
