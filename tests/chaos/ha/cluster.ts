import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const NODES = [1, 2, 3] as const;
type Node = (typeof NODES)[number];

const ETCD = 23_790;
const ETCD_PEERS = 23_800;
const PROXY = 5500;
const apiPort = (node: Node) => 8010 + node;
const databasePort = (node: Node) => 5440 + node;
const START_LIMIT_MS = 90_000;

/**
 * Three Patroni nodes on Debian's PostgreSQL, one etcd, and HAProxy, which leads to the primary: what an installation of
 * several machines stands on, on one machine. Needs the packages patroni, etcd-server, haproxy and postgresql.
 */
export class Cluster {
  readonly url = `postgresql://postgres:p@127.0.0.1:${PROXY}/app`;
  private readonly folder: string;
  private readonly synchronous: boolean;
  private readonly strict: boolean;
  private readonly owner: { uid: number; gid: number } | Record<string, never>;
  private readonly nodes = new Map<Node, ChildProcess>();
  private readonly others: ChildProcess[] = [];

  /**
   * @param synchronous whether a commit waits until a standby has it
   * @param strict whether it waits too while there is none that could
   */
  constructor(folder: string, { synchronous, strict }: { synchronous: boolean; strict: boolean }) {
    this.folder = folder;
    this.synchronous = synchronous;
    this.strict = strict;
    this.owner = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  }

  async start(): Promise<void> {
    this.others.push(this.run("etcd", etcdArguments(this.makeFolder("etcd"))));
    await sleep(1000);
    for (const node of NODES) {
      const folder = this.makeFolder(`node-${node}`);
      writeFileSync(path.join(folder, "patroni.yml"), this.configure(node, folder), { mode: 0o644 });
      this.startNode(node);
      await sleep(2000);
    }
    const proxy = path.join(this.folder, "haproxy.cfg");
    writeFileSync(proxy, PROXY_CONFIGURATION);
    this.others.push(this.run("haproxy", ["-f", proxy, "-db"]));
    for (const end = Date.now() + START_LIMIT_MS; (await this.countRunning()) < NODES.length; await sleep(500))
      if (Date.now() > end) throw new Error(`the cluster is not complete in time: see ${this.folder}`);
    const client = new pg.Client({ connectionString: this.url.replace(/app$/, "postgres") });
    await client.connect();
    await client.query("CREATE DATABASE app");
    await client.end();
  }

  /** The node that is the primary by its own word. @throws Error when there is none for 90 s */
  async primary(other?: Node): Promise<Node> {
    for (const end = Date.now() + START_LIMIT_MS; Date.now() < end; await sleep(100))
      for (const node of NODES) if (node !== other && (await answers(node, "primary"))) return node;
    throw new Error("no node became the primary in time");
  }

  /**
   * The machine of the primary is gone: its Patroni and its PostgreSQL end by -9, after its standbys received nothing
   * for 300 ms. It comes back as a standby once another one has taken over.
   */
  async killPrimary(): Promise<void> {
    const primary = await this.primary();
    const receivers = childrenNamed("walreceiver");
    for (const pid of receivers) signal(pid, "SIGSTOP");
    await sleep(300);
    const gone = [this.nodes.get(primary)?.pid, this.postmaster(primary)];
    for (const pid of gone) signal(pid, "SIGKILL");
    for (const pid of receivers) signal(pid, "SIGCONT");
    await this.primary(primary);
    this.startNode(primary);
  }

  /**
   * The machine of the primary stands still for so long, with its connections open, and goes on as if nothing had been.
   * Patroni may give it the lead back.
   */
  async freezePrimary(ms: number): Promise<void> {
    const primary = await this.primary();
    const frozen = [this.nodes.get(primary)?.pid, ...this.processesOf(primary)];
    for (const pid of frozen) signal(pid, "SIGSTOP");
    await sleep(ms);
    for (const pid of frozen) signal(pid, "SIGCONT");
    await this.primary();
  }

  /** The primary hands over in good order, once there is a standby that may take over. */
  async switchOver(): Promise<void> {
    const primary = await this.primary();
    for (const end = Date.now() + START_LIMIT_MS; ; await sleep(1000)) {
      const answer = await fetch(`http://127.0.0.1:${apiPort(primary)}/switchover`, {
        method: "POST",
        body: JSON.stringify({ leader: `n${primary}` }),
      });
      if (answer.ok) break;
      if (answer.status !== 412 || Date.now() > end)
        throw new Error(`the switchover was answered ${answer.status}: ${await answer.text()}`);
    }
    await this.primary(primary);
  }

  /** Waits until all nodes are there again, one of them the primary. */
  async whole(): Promise<void> {
    for (const end = Date.now() + START_LIMIT_MS; (await this.countRunning()) < NODES.length; await sleep(500))
      if (Date.now() > end) throw new Error(`the cluster is not whole again in time: see ${this.folder}`);
  }

  /** Returns how many connections to the application's database the standbys hold; one that is down holds none. */
  async countOnStandbys(): Promise<number> {
    const primary = await this.primary();
    const counts = NODES.filter((node) => node !== primary).map(async (node) => {
      const client = new pg.Client({ connectionString: `postgresql://postgres:p@127.0.0.1:${databasePort(node)}/postgres` });
      try {
        await client.connect();
        const { rows } = await client.query<{ n: string }>("SELECT count(*) AS n FROM pg_stat_activity WHERE datname = 'app'");
        return Number(rows[0]?.n);
      } catch {
        return 0;
      } finally {
        await client.end().catch(() => undefined);
      }
    });
    return (await Promise.all(counts)).reduce((sum, n) => sum + n, 0);
  }

  /** Ends everything at once. */
  end(): void {
    for (const node of NODES) signal(this.nodes.get(node)?.pid, "SIGKILL");
    // By their folder: one that is just starting has no pid file yet.
    spawnSync("pkill", ["-QUIT", "-f", `postgres -D ${this.folder}`]);
    for (const other of this.others) other.kill("SIGKILL");
  }

  private makeFolder(name: string): string {
    const folder = path.join(this.folder, name);
    mkdirSync(folder);
    if (this.owner.uid !== undefined) chownSync(folder, this.owner.uid, this.owner.gid);
    return folder;
  }

  private run(command: string, args: string[]): ChildProcess {
    const log = openSync(path.join(this.folder, `${path.basename(command)}.log`), "a");
    return spawn(command, args, { ...(command === "haproxy" ? {} : this.owner), detached: true, stdio: ["ignore", log, log] });
  }

  private startNode(node: Node): void {
    this.nodes.set(node, this.run("patroni", [path.join(this.folder, `node-${node}`, "patroni.yml")]));
  }

  private postmaster(node: Node): number | undefined {
    const file = path.join(this.folder, `node-${node}`, "data", "postmaster.pid");
    return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : undefined;
  }

  private processesOf(node: Node): number[] {
    const postmaster = this.postmaster(node);
    if (!postmaster) return [];
    return [postmaster, ...readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim().split(" ").map(Number)];
  }

  private async countRunning(): Promise<number> {
    const up = await Promise.all(NODES.map((node) => answers(node, "health")));
    const streaming = await Promise.all(NODES.map((node) => answers(node, "replica")));
    return streaming.some(Boolean) ? up.filter(Boolean).length : 0;
  }

  private configure(node: Node, folder: string): string {
    return `scope: signalbox
name: n${node}
restapi: {listen: "127.0.0.1:${apiPort(node)}", connect_address: "127.0.0.1:${apiPort(node)}"}
etcd3: {hosts: "127.0.0.1:${ETCD}"}
bootstrap:
  dcs:
    ttl: 10
    loop_wait: 2
    retry_timeout: 3
    maximum_lag_on_failover: 16777216
    synchronous_mode: ${this.synchronous}
    synchronous_mode_strict: ${this.strict}
    postgresql:
      use_pg_rewind: true
      parameters: {max_connections: 200, wal_level: replica, hot_standby: "on", max_wal_senders: 10, max_replication_slots: 10, wal_log_hints: "on"}
  initdb: [{encoding: UTF8}, data-checksums]
  pg_hba: [host replication all 127.0.0.1/32 trust, host all all 127.0.0.1/32 trust]
postgresql:
  listen: 127.0.0.1:${databasePort(node)}
  connect_address: 127.0.0.1:${databasePort(node)}
  data_dir: ${folder}/data
  bin_dir: ${binaries()}
  pgpass: ${folder}/pgpass
  authentication: {replication: {username: repl, password: r}, superuser: {username: postgres, password: p}, rewind: {username: rw, password: w}}
  parameters: {unix_socket_directories: ${folder}}
watchdog: {mode: "off"}
`;
  }
}

const etcdArguments = (folder: string) => [
  ...["--data-dir", folder, "--enable-v2=false"],
  ...["--listen-client-urls", `http://127.0.0.1:${ETCD}`, "--advertise-client-urls", `http://127.0.0.1:${ETCD}`],
  ...["--listen-peer-urls", `http://127.0.0.1:${ETCD_PEERS}`],
];

const PROXY_CONFIGURATION = `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  retries 1
listen primary
  bind 127.0.0.1:${PROXY}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${NODES.map((node) => `  server n${node} 127.0.0.1:${databasePort(node)} check port ${apiPort(node)}`).join("\n")}
`;

const idOf = (which: "-u" | "-g"): number => Number(execFileSync("id", [which, "postgres"], { encoding: "utf8" }));

function binaries(): string {
  return execFileSync("pg_config", ["--bindir"], { encoding: "utf8" }).trim();
}

/** True if a node answers one of Patroni's questions with 200. */
async function answers(node: Node, question: string): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${apiPort(node)}/${question}`, { signal: AbortSignal.timeout(1000) }).catch(() => null);
  return answer?.status === 200;
}

function childrenNamed(title: string): number[] {
  const found = execFileSync("sh", ["-c", `pgrep -f "postgres: .*${title}" || true`], { encoding: "utf8" });
  return found.trim().split("\n").filter(Boolean).map(Number);
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (!pid) return;
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}
