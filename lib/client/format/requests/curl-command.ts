export type StoredRequest = { source: string; headers: Record<string, string>; raw: string | null; rawBase64: string | null };

/** Headers that a client sets itself, or that proxies add. */
const LEFT_OUT = /^(host|content-length|connection|accept-encoding|transfer-encoding|x-forwarded-.*|forwarded|via)$/i;

/** Returns the request as a command for a POSIX shell, with the same bytes and signature. The receiver counts it as a repeat. */
export function curlCommand(origin: string, request: StoredRequest): string {
  const headers = Object.entries(request.headers)
    .filter(([name]) => !LEFT_OUT.test(name))
    .map(([name, value]) => `  -H ${quote(`${name}: ${value}`)}`);
  const url = `${origin}/webhooks/${encodeURIComponent(request.source)}`;
  const inline = request.raw !== null && !request.raw.startsWith("@") && !request.raw.includes("\0");
  const lines = [`curl -X POST ${quote(url)}`, ...headers, `  --data-binary ${inline ? quote(request.raw ?? "") : "@-"}`];
  const command = lines.join(" \\\n");
  if (inline) return command;
  const base64 =
    request.rawBase64 ?? btoa(Array.from(new TextEncoder().encode(request.raw ?? ""), (byte) => String.fromCharCode(byte)).join(""));
  return `printf %s ${quote(base64)} | base64 -d | ${command}`;
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
