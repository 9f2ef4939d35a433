import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy that can cut every open connection, or turn away new ones. */
export type CuttingProxy = { url: string; cut: () => number; refuse: (on: boolean) => void; close: () => Promise<void> };

/** Opens a proxy before an HTTP server. */
export async function openCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let refusing = false;
  const server = createServer((incoming) => {
    if (refusing) return void incoming.destroy();
    const outgoing = connect(Number(port), hostname);
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    const { size } = open;
    for (const socket of open) socket.resetAndDestroy();
    return size;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    refuse: (on) => {
      refusing = on;
    },
    close: async () => {
      cut();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
