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

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
