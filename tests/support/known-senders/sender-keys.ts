import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export const EC = generateKeyPairSync("ec", { namedCurve: "P-256" });
export const ED = generateKeyPairSync("ed25519");
export const RSA = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const signedByDiscord = (seconds: string, body: string) => ({
  "x-signature-timestamp": seconds,
  "x-signature-ed25519": sign(null, Buffer.from(seconds + body), ED.privateKey).toString("hex"),
});
export const ED_HEX = ED.publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
export function jwt(header: object, claims: object, key: KeyObject | string): string {
  const content = `${part({ typ: "JWT", ...header })}.${part(claims)}`;
  if (typeof key === "string") return `${content}.${createHmac("sha256", key).update(content).digest("base64url")}`;
  const isEc = key.asymmetricKeyType === "ec";
  return `${content}.${sign("sha256", Buffer.from(content), isEc ? { key, dsaEncoding: "ieee-p1363" } : key).toString("base64url")}`;
}
