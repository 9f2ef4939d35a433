import { type KeyObject, verify, X509Certificate } from "node:crypto";
import type { SnsSettings } from "#lib/contracts/sources/scheme-settings";
import { parseJson } from "#lib/platform/payload";
import type { Scheme, SchemeRequest } from "../scheme.ts";

/** Signed fields in this order: name and value of each present field, a line each. */
const SIGNED = ["Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"] as const;
const NEEDED = ["Message", "MessageId", "Timestamp", "TopicArn", "Type", "Signature", "SignatureVersion", "SigningCertURL"] as const;
const CONFIRMING = ["SubscribeURL", "Token"] as const;
const ALGORITHMS = { "1": "RSA-SHA1", "2": "RSA-SHA256" } as const;

type Message = Partial<Record<(typeof SIGNED)[number] | (typeof NEEDED)[number], string>> & { Type: string };

/** Only Amazon's own hosts; AWS's validators check no more of the certificate than its origin. */
const CERTIFICATE_URL = /^https:\/\/sns\.([a-z0-9-]{3,40})\.amazonaws\.com(\.cn)?\/SimpleNotificationService-[0-9a-f]{20,64}\.pem$/;
const CONFIRM_URL = /^https:\/\/sns\.([a-z0-9-]{3,40})\.amazonaws\.com(\.cn)?\/\?[\w=&:%.~-]+$/;

/**
 * Verifies RSA over fields of the body. The message names the certificate's URL, so only the region of a listed topic is trusted.
 * Certificates are the source's secrets: `url\ncertificate`. https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
export const snsScheme = ({ topics }: SnsSettings): Scheme => ({
  trust: "signed",
  headers: [],
  provenBy: "a Signature in its body",
  costly: true,
  needsSecret: false,
  onlySenderSigns: () => true,
  verify({ body }, secrets, now) {
    const message = messageIn(body);
    if (message === null || message.Signature === undefined) return { outcome: "signature_missing" };
    const read = readSigned(message);
    if (read === null) return { outcome: "signature_malformed" };
    if (!topics.includes(read.topic) || !isOfRegion(CERTIFICATE_URL, read.url, read.topic)) return { outcome: "signature_mismatch" };
    const held = secrets.find(({ value }) => value.startsWith(`${read.url}\n`));
    if (held === undefined) return { outcome: "certificate_unknown", url: read.url };
    const key = keyOf(held.value.slice(read.url.length + 1), now);
    const fits = key !== null && verify(read.algorithm, Buffer.from(read.content), key, read.signature);
    return fits ? { outcome: "verified", form: "signed", secretId: held.id } : { outcome: "signature_mismatch" };
  },
  explain: (request) => explain(request, topics),
  sign: () => ({}),
});

/** Returns the URL of a SubscriptionConfirmation. Its topic is one of the source's, or it would not have verified. */
export function snsConfirmation(body: Uint8Array): string | null {
  const message = messageIn(body);
  if (message?.Type !== "SubscriptionConfirmation") return null;
  const { SubscribeURL: url = "", TopicArn: topic = "", Token: token = "" } = message;
  if (!isOfRegion(CONFIRM_URL, url, topic)) return null;
  const query = new URL(url).searchParams;
  const isIts = query.get("Action") === "ConfirmSubscription" && query.get("TopicArn") === topic && query.get("Token") === token;
  return isIts ? url : null;
}

/** Returns null unless it is RSA with at least 2,048 bits and valid now. */
export function keyOf(certificate: string, now: number): KeyObject | null {
  try {
    const { publicKey, validFrom, validTo } = new X509Certificate(certificate);
    const isStrong = publicKey.asymmetricKeyType === "rsa" && (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
    return isStrong && Date.parse(validFrom) <= now && now <= Date.parse(validTo) ? publicKey : null;
  } catch {
    return null;
  }
}

function messageIn(body: Uint8Array): Message | null {
  const json = parseJson(body);
  if (!json.ok || typeof json.value !== "object" || json.value === null) return null;
  const found = json.value as Record<string, unknown>;
  const fields = [...SIGNED, ...NEEDED];
  if (typeof found.Type !== "string" || fields.some((name) => found[name] !== undefined && typeof found[name] !== "string")) return null;
  return Object.fromEntries(fields.flatMap((name) => (typeof found[name] === "string" ? [[name, found[name]]] : []))) as Message;
}

type Signed = { content: string; signature: Buffer; algorithm: string; url: string; topic: string };

/** Returns the signed content. A line break in any field but the message is rejected: it could move text into other fields. */
function readSigned(message: Message): Signed | null {
  const isConfirming = message.Type === "SubscriptionConfirmation" || message.Type === "UnsubscribeConfirmation";
  if (!isConfirming && message.Type !== "Notification") return null;
  const needed = isConfirming ? [...NEEDED, ...CONFIRMING] : NEEDED;
  if (needed.some((name) => message[name] === undefined)) return null;
  const names = SIGNED.filter((name) => (isConfirming ? name !== "Subject" : name !== "SubscribeURL" && name !== "Token"));
  if (names.some((name) => name !== "Message" && /[\r\n]/.test(message[name] ?? ""))) return null;
  const { Signature = "", SignatureVersion, SigningCertURL: url = "", TopicArn: topic = "" } = message;
  const signature = Buffer.from(Signature, "base64");
  if (signature.length < 256 || signature.length > 512 || signature.toString("base64") !== Signature) return null;
  if (SignatureVersion !== "1" && SignatureVersion !== "2") return null;
  const content = names.flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`])).join("");
  return { content, signature, algorithm: ALGORITHMS[SignatureVersion], url, topic };
}

/** True for an SNS URL in the topic's region. Only China's regions are under `.cn`. */
function isOfRegion(pattern: RegExp, url: string, topic: string): boolean {
  const [, region, china] = pattern.exec(url) ?? [];
  return region !== undefined && topic.split(":")[3] === region && (china !== undefined) === region.startsWith("cn-");
}

function explain({ headers, body }: SchemeRequest, topics: readonly string[]): { verdict: string; fix: string } | null {
  if (headers["x-amz-sns-rawdelivery"] === "true")
    return {
      verdict: "Raw message delivery is on, so messages have no signature.",
      fix: "Turn it off for this subscription in Amazon SNS.",
    };
  const topic = messageIn(body)?.TopicArn;
  if (topic === undefined || topics.includes(topic)) return null;
  return {
    verdict: `It was sent by the topic ${topic.slice(0, 300)}, which this source doesn't list.`,
    fix: "If the topic is yours, add it to the source.",
  };
}
