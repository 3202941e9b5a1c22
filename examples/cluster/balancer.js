// @ts-check
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts, waitForPort } from './ports.js';
import { end, makeFolder, removeFolder, runServer } from './processes.js';

const NGINX = '/usr/sbin/nginx';

export const hasNginx = existsSync(NGINX);

/**
 * Starts nginx in front of the instances, round robin without stickiness.
 *
 * @param {readonly number[]} instances Ports on this machine
 * @param {number} [fixedPort] A free port when absent
 */
export async function startBalancer(instances, fixedPort) {
  const folder = makeFolder('cluster-nginx');
  const [port = 0] = fixedPort === undefined ? await freePorts(1) : [fixedPort];
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(port, instances));
  const nginx = runServer(NGINX, ['-p', folder, '-c', file, '-e', 'stderr'], folder, 'inherit');
  await waitForPort(port, nginx);
  const close = () => end(nginx).then(() => removeFolder(folder));
  return { url: `http://127.0.0.1:${port}`, close };
}

/**
 * Passes a request on to another instance only if it never reached the first one. nginx has no such option:
 * `proxy_next_upstream error` repeats every GET whose response was cut off, and an authorization response is a GET that works
 * only once. So each request gets one attempt, and a second one if the first sent no bytes.
 *
 * @param {number} port
 * @param {readonly number[]} instances
 */
function configuration(port, instances) {
  return `daemon off;
worker_processes 1;
pid nginx.pid;
# Unreachable instances are expected here and would be logged as errors.
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
    # Shorter than Node's five seconds, because Node would cut off a request on a connection that it is about to close.
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
  # Response headers with an encrypted cookie can exceed the default of 4 KB.
  proxy_buffer_size 16k;
  proxy_buffers 8 16k;

  server {
    listen 127.0.0.1:${port};

    location / {
      # Applies to nginx's own 502 only. An instance's 502 goes to the browser unchanged.
      error_page 502 504 = @next_instance;
      proxy_pass http://instances;
    }

    location @next_instance {
      if ($has_reached_an_instance) {
        return 502;
      }
      proxy_pass http://instances;
    }
  }
}
`;
}
