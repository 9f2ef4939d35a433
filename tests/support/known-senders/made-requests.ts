import { createHmac } from "node:crypto";
import type { SchemeSettings } from "#lib/contracts/sources/scheme-settings";

/** Where and when a request is sent; milliseconds since 1970. */
export type At = { url: string; now: number };
export type Made = { body: string; headers: Record<string, string>; query?: string };

/** Another sender, as its documentation says that it sends; nothing here is made by the product's own code. */
export type KnownSender = {
  secret: string;
  settings?: SchemeSettings;
  remoteAddress?: string;
  /** Its URL has no query: what is signed would end with text that anyone chooses. */
  noQuery?: true;
  make: (at: At) => Made;
  /** The same event at a later try, where its bytes are others. */
  again?: (at: At) => Made;
};

export const NETWORK = { network: { networks: ["10.0.0.0/8"] } };
export const hmac = (algorithm: string, key: string | Buffer, content: string, encoding: "hex" | "base64") =>
  createHmac(algorithm, key).update(content).digest(encoding);
export const seconds = ({ now }: At) => String(Math.floor(now / 1000));
export const iso = ({ now }: At) => new Date(now).toISOString();
export const isoSeconds = (at: At) => iso(at).replace(/\.\d+Z$/, "Z");
export const KEY = "a-key-that-only-the-sender-has";

export type Of = (body: string, at: At) => Record<string, string>;
export const json = (event: (at: At) => unknown, headers: Of, again?: (at: At) => unknown): Pick<KnownSender, "make" | "again"> => {
  const made = (of: (at: At) => unknown) => (at: At) => {
    const body = JSON.stringify(of(at));
    return { body, headers: headers(body, at) };
  };
  return { make: made(event), ...(again && { again: made(again) }) };
};
export const inHeader =
  (header: string, encoding: "hex" | "base64", prefix = "", algorithm = "sha256", key: string | Buffer = KEY): Of =>
  (body) => ({ [header]: prefix + hmac(algorithm, key, body, encoding) });
export const secretIn =
  (header: string, prefix = ""): Of =>
  () => ({ [header]: prefix + KEY });
export const multipart = (fields: Record<string, string>): Made => {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--frontier\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return { body: `${parts.join("")}--frontier--\r\n`, headers: { "content-type": "multipart/form-data; boundary=frontier" } };
};
export const basic =
  (secret: string): Of =>
  () => ({ authorization: `Basic ${btoa(secret)}` });
