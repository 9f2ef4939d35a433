import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Transform } from "node:stream";

/** What `watch` keeps in the tab's session storage, over all pages of the tab. */
export const FAULTS = 'JSON.parse(sessionStorage.getItem("faults") ?? "[]")';

/**
 * Passes everything on to a port of this machine and back, and gives each page that has scripts one that hears its faults before anything
 * else runs: WebKitGTK's driver has no way to, and its browser prints nothing while it is driven.
 */
export async function startWatchingProxy(port: number): Promise<{ url: string; close: () => Promise<void> }> {
  const proxy: Server = createServer((asked, answer) => {
    const headers = { ...asked.headers, "accept-encoding": "identity" };
    const passed = httpRequest({ agent: false, port, method: asked.method, path: asked.url, headers }, (answered) => {
      const nonce = nonceOf(answered);
      const { "content-length": length, ...others } = answered.headers;
      answer.writeHead(answered.statusCode ?? 502, { ...others, ...(length && !nonce && { "content-length": length }) });
      answer.flushHeaders();
      if (nonce) answered.pipe(withScript(nonce)).pipe(answer);
      else answered.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, resolve));
  const close = async () => {
    const closed = new Promise((resolve) => proxy.close(resolve));
    proxy.closeAllConnections();
    await closed;
  };
  return { url: `http://localhost:${(proxy.address() as AddressInfo).port}`, close };
}

/** The nonce of a page that may run scripts. */
function nonceOf({ headers }: IncomingMessage): string | undefined {
  if (!headers["content-type"]?.startsWith("text/html")) return undefined;
  return /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1];
}

function withScript(nonce: string): Transform {
  let isGiven = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (isGiven || !chunk.includes("<head>")) return done(null, chunk);
      isGiven = true;
      const script = `<script nonce="${nonce}">(${watch})()</script>`;
      done(null, Buffer.from(chunk.toString("latin1").replace("<head>", `<head>${script}`), "latin1"));
    },
  });
}

/**
 * Runs in the page: uncaught errors, violations of the page's policy, and errors on the console. No script that does not load: that one is also
 * told when the page is left.
 */
function watch(): void {
  const hear = (words: string) => {
    const before = JSON.parse(sessionStorage.getItem("faults") ?? "[]") as string[];
    sessionStorage.setItem("faults", JSON.stringify([...before, `${location.pathname}: ${words}`]));
  };
  addEventListener("error", ({ message }) => hear(message));
  addEventListener("unhandledrejection", ({ reason }) => hear(`unhandled: ${reason}`));
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
    hear(`policy: ${effectiveDirective} blocked ${blockedURI}`),
  );
  const { error } = console;
  console.error = (...words: unknown[]) => {
    hear(`console: ${words.join(" ")}`);
    error(...words);
  };
}
