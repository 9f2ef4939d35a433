import { connect, createServer, type Server, type Socket } from "node:net";
import { ownPort } from "./own-port.ts";

/**
 * Fault of the connection to the database. `cut_before_commit` and
 * `cut_after_commit` strike the statement that stores events; the others all.
 */
export type Fault = "none" | "refused" | "half_open" | "slow" | "cut_before_commit" | "cut_after_commit";

/** A prepared statement's name stands in each of its Bind messages (PostgreSQL protocol, 55.7). */
const STRUCK = "append-events";
/** ReadyForQuery: the transaction is over, and so its commit is on disk. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** A TCP proxy before PostgreSQL that can be told to misbehave. */
export class FaultyProxy {
  /** Number of times a connection was cut in the middle of storing. */
  cuts = 0;
  private fault: Fault = "none";
  private delayMs = 0;
  private cutsLeft = Number.POSITIVE_INFINITY;
  private server: Server | undefined;
  private readonly port = ownPort();
  private readonly open = new Set<Socket>();
  private readonly pairs = new Set<Pair>();
  private readonly target: URL;

  private constructor(target: URL) {
    this.target = target;
  }

  /** Opens a proxy to a database. */
  static async start(databaseUrl: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(new URL(databaseUrl));
    await proxy.listen();
    return proxy;
  }

  /** The database's address through the proxy. */
  get url(): string {
    const through = new URL(this.target);
    through.host = `127.0.0.1:${this.port}`;
    return through.href;
  }

  /** @param options `delayMs` for `slow`; `times` for the cuts: how many before all is well again */
  async misbehave(fault: Fault, { delayMs = 0, times = Number.POSITIVE_INFINITY } = {}): Promise<void> {
    if (this.fault === "refused" && fault !== "refused") await this.listen();
    this.fault = fault;
    this.delayMs = delayMs;
    this.cutsLeft = times;
    if (fault === "refused") await this.close();
  }

  /** Silences what is open, as when a firewall forgets it; new connections are well. @returns how many there were */
  silenceOpen(): number {
    for (const pair of this.pairs) pair.silent = true;
    return this.pairs.size;
  }

  private async listen(): Promise<void> {
    const server = createServer((client) => this.join(client));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, "127.0.0.1", resolve));
  }

  /** Cuts every connection and takes no more. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve) ?? resolve(null));
    for (const socket of this.open) socket.destroy();
    await closed;
    this.server = undefined;
  }

  private join(client: Socket): void {
    const database = connect(Number(this.target.port), this.target.hostname);
    const pair = { client, database, silent: this.fault === "half_open", armed: false };
    this.pairs.add(pair);
    for (const socket of [client, database]) {
      this.open.add(socket);
      socket.setNoDelay();
      socket.on("error", () => undefined); // `close` follows
      socket.on("close", () => {
        this.open.delete(socket);
        this.pairs.delete(pair);
        client.destroy();
        database.destroy();
      });
    }
    client.on("data", (chunk: Buffer) => this.fromClient(pair, chunk));
    database.on("data", (chunk: Buffer) => this.fromDatabase(pair, chunk));
  }

  private fromClient(pair: Pair, chunk: Buffer): void {
    // A connection that is silent stays so, as on a lost route; only a new one works again.
    pair.silent ||= this.fault === "half_open";
    if (pair.silent) return;
    const struck = this.cutsLeft > 0 && chunk.includes(STRUCK);
    if (struck && this.fault === "cut_before_commit") {
      pair.database.write(chunk.subarray(0, chunk.length / 2));
      this.cut(pair);
      return;
    }
    pair.armed = struck && this.fault === "cut_after_commit";
    pair.database.write(chunk);
  }

  private fromDatabase(pair: Pair, chunk: Buffer): void {
    pair.silent ||= this.fault === "half_open";
    if (pair.silent) return;
    if (pair.armed) {
      if (chunk.subarray(-READY.length).equals(READY)) this.cut(pair);
      return;
    }
    if (this.fault === "slow") setTimeout(() => pair.client.write(chunk), this.delayMs);
    else pair.client.write(chunk);
  }

  private cut({ client, database }: Pair): void {
    this.cuts += 1;
    this.cutsLeft -= 1;
    client.destroy();
    database.end();
  }
}

type Pair = { client: Socket; database: Socket; silent: boolean; armed: boolean };
