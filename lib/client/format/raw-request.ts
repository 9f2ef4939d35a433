import { isLeftBehind } from "#lib/contracts/http-headers";

type StoredRequest = { source: string; headers: Record<string, string>; raw: string | null; rawBase64: string | null };

/** Returns the request as a command for a POSIX shell, with the same bytes and signature. The receiver counts it as a repeat. */
export function curlCommand(origin: string, request: StoredRequest): string {
  const headers = Object.entries(request.headers)
    .filter(([name]) => !isLeftBehind(name))
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

type SentRequest = { method: string; url: string; headers: Record<string, string> };

export function requestAsCurl({ method, url, headers }: SentRequest, body: { text: string | null; base64: string }): string {
  const inline = body.text !== null && !body.text.startsWith("@") && !body.text.includes("\0");
  const lines = [
    `curl -X ${method} ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quote(`${name}: ${value}`)}`),
    `  --data-binary ${inline ? quote(body.text ?? "") : "@-"}`,
  ];
  const command = lines.join(" \\\n");
  return inline ? command : `printf %s ${quote(body.base64)} | base64 -d | ${command}`;
}

const WIDTH = 16;
const [PRINTABLE_FROM, PRINTABLE_TO] = [0x20, 0x7e];

export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += WIDTH) {
    const row = bytes.subarray(offset, offset + WIDTH);
    const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const ascii = Array.from(row, (byte) => (byte >= PRINTABLE_FROM && byte <= PRINTABLE_TO ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${offset.toString(16).padStart(8, "0")}  ${hex.padEnd(WIDTH * 3 - 1)}  ${ascii}`);
  }
  return lines.join("\n");
}

export function saveBytes(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
