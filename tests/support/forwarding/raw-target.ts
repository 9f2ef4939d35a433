import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { createServer as createTlsServer } from "node:tls";

const FOLDER = path.join(import.meta.dirname, "certificates");

/** Certificates made for these tests alone: by an authority of their own, for 127.0.0.1 and app.example unless the name says otherwise. */
export const authority = () => readFileSync(path.join(FOLDER, "authority.pem"), "utf8");
const certificate = (name: "valid" | "expired" | "other-host") => {
  const pem = readFileSync(path.join(FOLDER, `${name}.pem`), "utf8");
  return { cert: pem, key: pem };
};

/** A server that does with each connection what it is told, whatever HTTP says. */
export type RawTarget = { url: string; connections: () => number; close: () => Promise<void> };

/** Starts one on 127.0.0.1. @param talk called when the first bytes of a connection have come */
export async function startRawTarget(talk: (socket: Socket) => void, tls?: Parameters<typeof certificate>[0]): Promise<RawTarget> {
  const sockets = new Set<Socket>();
  let count = 0;
  const onConnection = (socket: Socket) => {
    count += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => talk(socket));
  };
  const server: Server = tls ? createTlsServer(certificate(tls), onConnection) : createServer(onConnection);
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}/`,
    connections: () => count,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
