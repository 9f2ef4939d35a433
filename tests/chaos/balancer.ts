import { spawn } from "node:child_process";
import { openSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PORT = 5600;

/**
 * HAProxy in front of several installations, set up as docs/deploy.md says. Needs the package haproxy.
 */
export async function startBalancer(folder: string, ports: number[]): Promise<{ url: string; end: () => void }> {
  const file = path.join(folder, "haproxy.cfg");
  const servers = ports.map((port, n) => `  server s${n} 127.0.0.1:${port} check`).join("\n");
  writeFileSync(file, `${CONFIGURATION}${servers}\n`);
  const log = openSync(path.join(folder, "haproxy.log"), "a");
  const child = spawn("haproxy", ["-f", file, "-db"], { stdio: ["ignore", log, log] });
  const url = `http://127.0.0.1:${PORT}`;
  for (const end = Date.now() + 10_000; (await fetch(`${url}/health/live`).catch(() => null))?.status !== 200; await sleep(100))
    if (Date.now() > end) throw new Error(`HAProxy leads nowhere: see ${folder}`);
  return { url, end: () => void child.kill("SIGKILL") };
}

const CONFIGURATION = `global
  maxconn 500
  log stdout format raw local0
defaults
  log global
  option httplog
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  option redispatch
  retries 3
  retry-on conn-failure empty-response
listen signalbox
  bind 127.0.0.1:${PORT}
  balance roundrobin
  option httpchk GET /health/live
  timeout check 2s
  default-server inter 500ms fall 2 rise 1
`;
