import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { findPostmaster } from "#lib/installation/embedded/postmaster";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { processStart } from "#lib/installation/process-lock";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Whoever owns each of them. */
export const OWNER = { email: "owner@example.com", password: "a long password for the chaos run" };
const START_LIMIT_MS = 300_000;

type InstallationOptions = {
  /** A module that every process of it loads first, for sabotage. */
  preload?: string | undefined;
  /** Additional variables, for example of a database that it shares. */
  environment?: Record<string, string>;
  /** The folder of the code that it runs, for example that of an earlier release; this one when left out. */
  code?: string | undefined;
  /** Drawn at random when left out. */
  port?: number;
};

/** Returns what an installation beside an external database must be given: it generates none. Processes on one database share them. */
export const externalSecrets = () => ({
  NEXTAUTH_SECRET: randomBytes(32).toString("hex"),
  VAULT_KEYS: `k1:${randomBytes(32).toString("base64")}`,
});

/** A whole Signalbox in a process group of its own, to be killed and started again on the same data. */
export class Installation {
  readonly url: string;
  readonly port: number;
  readonly secret = "the-webhook-secret-of-the-chaos-run";
  readonly apiKey = "sbx_the-api-key-of-the-chaos-run-and-of-nothing-else";
  private readonly dataDir: string;
  private readonly options: InstallationOptions;
  private app: ChildProcess | undefined;

  constructor(dataDir: string, options: InstallationOptions = {}) {
    this.dataDir = dataDir;
    this.options = options;
    this.port = options.port ?? randomInt(30_000, 32_000);
    this.url = `http://localhost:${this.port}`;
  }

  /** Starts it with `npm start`'s own program. @returns milliseconds until it was ready */
  async start(): Promise<number> {
    const started = performance.now();
    const app = spawn(process.execPath, ["lib/processes/start.ts"], {
      cwd: this.options.code ?? ROOT,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        PORT: String(this.port),
        DATA_DIR: this.dataDir,
        WEBHOOK_SECRET: this.secret,
        OWNER_EMAIL: OWNER.email,
        OWNER_PASSWORD: OWNER.password,
        INIT_API_KEY: this.apiKey,
        SANDBOX: "on",
        LOG_LEVEL: "fatal",
        ...(this.options.preload ? { NODE_OPTIONS: `--import=${this.options.preload}` } : {}),
        ...this.options.environment,
      },
    });
    this.app = app;
    await new Promise<void>((resolve, reject) => {
      let output = "";
      const timer = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), START_LIMIT_MS);
      app.once("exit", (code) => reject(new Error(`ended with ${code} while starting:\n${output}`)));
      app.stdout?.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (!output.includes("Signalbox is ready")) return;
        clearTimeout(timer);
        resolve();
      });
    });
    return performance.now() - started;
  }

  /** `kill -9` of the whole process group: supervisor, web process and worker. */
  async killGroup(): Promise<void> {
    const pid = this.app?.pid;
    if (!this.app || !pid) throw new Error("nothing runs");
    const gone = new Promise((resolve) => this.app?.once("exit", resolve));
    process.kill(-pid, "SIGKILL");
    await gone;
  }

  /** `kill -9` of one process; the supervisor starts it again. One that was killed just before is waited for. Linux. */
  async killChild(name: "web" | "worker"): Promise<void> {
    for (const end = Date.now() + START_LIMIT_MS; Date.now() < end && !this.findChild(name); )
      await new Promise((resolve) => setTimeout(resolve, 50));
    process.kill(this.childPid(name), "SIGKILL");
  }

  /**
   * The database server is killed (SIGKILL) or stopped at once (SIGQUIT, "immediate"), and gone when this returns: it recovers from its log
   * when it starts again.
   */
  async endDatabase(signal: "SIGKILL" | "SIGQUIT"): Promise<void> {
    const server = findPostmaster((await this.attach()).directory);
    if (!server) return;
    process.kill(server.pid, signal);
    while (processStart(server.pid) !== null) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** Waits until it takes requests and its worker and database are well. @returns milliseconds */
  async ready(): Promise<number> {
    const started = performance.now();
    while (performance.now() - started < START_LIMIT_MS) {
      const answer = await fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(5000) }).catch(() => null);
      if (answer?.status === 200) return performance.now() - started;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("not ready again in time");
  }

  /** The id of a child of the supervisor. Linux. */
  childPid(name: "web" | "worker"): number {
    const found = this.findChild(name);
    if (!found) throw new Error(`there is no ${name} process`);
    return found;
  }

  private findChild(name: "web" | "worker"): number | undefined {
    const pid = this.app?.pid;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
    return children.find((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes(`processes/${name}.ts`));
  }

  /** Ctrl-C. @returns milliseconds until everything had ended */
  async stop(): Promise<number> {
    const started = performance.now();
    const gone = new Promise((resolve) => this.app?.once("exit", resolve));
    this.app?.kill("SIGTERM");
    await gone;
    return performance.now() - started;
  }

  /** Folds the whole log anew beside it. @returns whether the live views are the same, by hash, and what the command printed */
  async rebuildsTheSame(): Promise<{ same: boolean; printed: string }> {
    const env = { ...process.env, DATA_DIR: this.dataDir, LOG_LEVEL: "fatal", ...this.options.environment };
    const rebuild = spawn(process.execPath, ["lib/processes/views-rebuild.ts", "--dry-run"], { cwd: ROOT, env });
    let printed = "";
    for (const stream of [rebuild.stdout, rebuild.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    const code = await new Promise((resolve) => rebuild.once("close", resolve));
    return { same: code === 0, printed };
  }

  /** The database's address, straight: what the checker reads must not pass through what it checks. */
  async databaseUrl(): Promise<string> {
    return (await this.attach()).url;
  }

  private attach() {
    return startEmbeddedPostgres({ directory: path.join(this.dataDir, "postgres") });
  }
}
