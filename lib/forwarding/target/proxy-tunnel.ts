import { type ClientRequest, request } from "node:http";
import { isIP, type Socket } from "node:net";
import { ForwardError } from "../attempt/outcomes.ts";
import type { Opening } from "./opening.ts";

/** The proxy could not reach the target (RFC 9110, sections 15.6.3 to 15.6.5). Every other refusal is the proxy's own. */
const TARGET_STATUSES: (number | undefined)[] = [502, 503, 504];

/**
 * Opens a tunnel to the checked address, so that the proxy looks up no name. A silent proxy counts as a silent target: most wait longer for
 * a dead target than we do, and as the proxy's failure it would be tried forever without an alert. @throws ForwardError
 */
export function openTunnel(proxy: URL, address: string, port: number, opening: Opening): Promise<Socket> {
  const authority = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
  return new Promise((resolve, reject) => {
    const ask = askFor(authority, proxy);
    opening.waitFor("proxy_failed", "FORWARD_PROXY did not accept the connection");
    ask.once("socket", (socket) => {
      opening.keep(socket);
      socket.once("connect", () =>
        opening.waitFor("connect_timeout", `FORWARD_PROXY did not respond when asked for a tunnel to ${authority}`),
      );
    });
    ask.once("connect", ({ statusCode }, socket, head) => {
      opening.waitFor("connect_timeout", "No connection");
      if (statusCode === 200 && head.length === 0) return resolve(socket);
      socket.destroy();
      reject(refusalOf(statusCode, authority));
    });
    ask.on("error", (error: NodeJS.ErrnoException) =>
      reject(new ForwardError("proxy_failed", `FORWARD_PROXY can't be used: ${error.code ?? "no answer"}`)),
    );
    ask.end();
  });
}

function askFor(authority: string, proxy: URL): ClientRequest {
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const headers = {
    host: authority,
    ...(credentials !== ":" && { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` }),
  };
  return request({ host: proxy.hostname, port: proxy.port || 80, method: "CONNECT", path: authority, headers, agent: false });
}

function refusalOf(status: number | undefined, authority: string): ForwardError {
  if (TARGET_STATUSES.includes(status))
    return new ForwardError("unreachable", `FORWARD_PROXY can't reach ${authority}: it answered ${status}`);
  return new ForwardError("proxy_failed", `FORWARD_PROXY answered ${status} when asked for a tunnel`);
}
