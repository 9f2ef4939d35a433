import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { findPostmaster } from "#lib/db/embedded/postmaster";
import { startEmbeddedPostgres } from "#lib/db/embedded-postgres";

const ROOT = path.resolve(import.meta.dirname, "../..");
const START_LIMIT_MS = 300_000;

/** A whole Signalbox in a process group of its own, to be killed and started again on the same data. */
export class Installation {
  readonly url: string;
  readonly secret = "the-webhook-secret-of-the-chaos-run";
  readonly apiKey = "sbx_the-api-key-of-the-chaos-run-and-of-nothing-else";
  private readonly port = randomInt(30_000, 32_000);
  private readonly dataDir: string;
  private app: ChildProcess | undefined;

  constructor(dataDir: string) {
    this.dataDir = dataDir;
    this.url = `http://localhost:${this.port}`;
  }

  /** Starts it with `npm start`'s own program. @returns milliseconds until it was ready */
  async start(): Promise<number> {
    const started = performance.now();
    const app = spawn(process.execPath, ["lib/processes/start.ts"], {
      cwd: ROOT,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        PORT: String(this.port),
        DATA_DIR: this.dataDir,
        WEBHOOK_SECRET: this.secret,
        OWNER_EMAIL: "owner@example.com",
        OWNER_PASSWORD: "a long password for the chaos run",
        INIT_API_KEY: this.apiKey,
        SANDBOX: "on",
        LOG_LEVEL: "error",
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

  /** `kill -9` of the whole process group and, when asked, of the database server too. */
  async kill(withDatabase: boolean): Promise<void> {
    const pid = this.app?.pid;
    if (!this.app || !pid) throw new Error("nothing runs");
    const gone = new Promise((resolve) => this.app?.once("exit", resolve));
    process.kill(-pid, "SIGKILL");
    if (withDatabase) {
      const server = findPostmaster(await this.databaseDirectory());
      if (server) process.kill(server.pid, "SIGKILL");
    }
    await gone;
  }

  /** The web process's id. Linux. */
  webPid(): number {
    const children = readFileSync(`/proc/${this.app?.pid}/task/${this.app?.pid}/children`, "utf8").trim().split(" ").map(Number);
    const web = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("processes/web.ts"));
    if (!web) throw new Error("there is no web process");
    return web;
  }

  /** Ctrl-C. @returns milliseconds until everything had ended */
  async stop(): Promise<number> {
    const started = performance.now();
    const gone = new Promise((resolve) => this.app?.once("exit", resolve));
    this.app?.kill("SIGTERM");
    await gone;
    return performance.now() - started;
  }

  /** The database's address, straight: what the checker reads must not pass through what it checks. */
  async databaseUrl(): Promise<string> {
    return (await this.attach()).url;
  }

  private async databaseDirectory(): Promise<string> {
    return (await this.attach()).directory;
  }

  private attach() {
    return startEmbeddedPostgres({ directory: path.join(this.dataDir, "postgres") });
  }
}
