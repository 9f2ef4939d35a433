import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "./complaints.ts";

type Received = { path: string; headers: IncomingHttpHeaders; body: string };

/** An app that destinations name: it takes everything, and remembers it. */
export class Target {
  private readonly received: Received[] = [];
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
    server.on("request", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        this.received.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.end();
      });
    });
  }

  static async start(): Promise<Target> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Target(server);
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Requests of an event that came to a path. */
  of(path: string, eventId: string): Received[] {
    return this.received.filter((one) => one.path === path && one.headers["signalbox-event-id"] === eventId);
  }

  /** Waits for the request of an event that comes to a path after so many. */
  async next(path: string, eventId: string, after: number): Promise<Received | undefined> {
    return (
      await until(
        async () => this.of(path, eventId),
        (all) => all.length > after,
      )
    )[after];
  }

  end(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
