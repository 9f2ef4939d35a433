import { connect } from "node:net";

// Sends so many requests as fast as they are answered, over several connections
// with many requests in flight on each; tells their statuses to its parent.

const CONNECTIONS = 32;
const IN_FLIGHT = 32;

process.once("message", async ({ port, request, total }: { port: number; request: string; total: number }) => {
  const started = performance.now();
  const statuses: Record<string, number> = {};
  const each = Math.ceil(total / CONNECTIONS);
  await Promise.all(Array.from({ length: CONNECTIONS }, () => send(port, request, each, statuses)));
  process.send?.({ statuses, seconds: (performance.now() - started) / 1000 });
});
process.once("disconnect", () => process.exit(0));

function send(port: number, request: string, total: number, statuses: Record<string, number>): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let sent = 0;
    let answered = 0;
    const say = (count: number) => {
      const more = Math.min(count, total - sent);
      sent += more;
      if (more > 0) socket.write(request.repeat(more));
    };
    socket.once("error", reject);
    socket.on("data", (chunk: Buffer) => {
      const found = chunk.toString("latin1").match(/HTTP\/1\.1 \d{3}/g) ?? [];
      for (const line of found) statuses[line.slice(9)] = (statuses[line.slice(9)] ?? 0) + 1;
      answered += found.length;
      say(found.length);
      if (answered < total) return;
      socket.destroy();
      resolve();
    });
    say(IN_FLIGHT);
  });
}
