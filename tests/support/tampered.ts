import type { Sender } from "./senders.ts";

/** The n-th way to change one character of a signed header or of the body. */
export function tampered(
  sender: Pick<Sender, "body">,
  headers: Record<string, string>,
  n: number,
): { headers: Record<string, string>; body: Buffer } {
  const names = Object.keys(headers);
  const place = n % (names.length + 1);
  const at = Math.floor(n / (names.length + 1)) * 7;
  const body = Buffer.from(sender.body);
  const name = names[place];
  if (name === undefined) {
    body[at % body.length] = (body[at % body.length] ?? 0) ^ (1 + (n % 7));
    return { headers, body };
  }
  const text = headers[name] ?? "";
  const index = at % text.length;
  const other = text[index] === "x" ? "y" : "x";
  return { headers: { ...headers, [name]: text.slice(0, index) + other + text.slice(index + 1) }, body };
}
