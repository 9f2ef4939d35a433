import { sign } from "node:crypto";
import { readFileSync } from "node:fs";

const file = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/** As Amazon would sign: with a key and a certificate of these tests. */
export const SNS_CERTIFICATE = file("certificate.pem");
/** Of a key of 1,024 bits. */
export const WEAK_CERTIFICATE = file("weak.pem");
const KEY = file("key.pem");

export const TOPIC = "arn:aws:sns:eu-west-1:123456789012:orders";
export const CERTIFICATE_URL = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem";
/** A source's secret, as it is kept. */
export const SNS_SECRET = `${CERTIFICATE_URL}\n${SNS_CERTIFICATE}`;

const NOTIFICATION = ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"];
const CONFIRMATION = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];

/** A message as the documentation describes it (sns-verify-signature-of-message); fields of `over` are signed unless Amazon doesn't. */
export function snsMessage(over: Record<string, string | undefined> = {}): Record<string, string | undefined> {
  const message: Record<string, string | undefined> = {
    Type: "Notification",
    MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
    TopicArn: TOPIC,
    Subject: "My First Message",
    Message: "Hello world!\nIn two lines.",
    Timestamp: "2026-11-23T12:00:00.000Z",
    SignatureVersion: "2",
    SigningCertURL: CERTIFICATE_URL,
    ...over,
  };
  const names = message.Type === "Notification" ? NOTIFICATION : CONFIRMATION;
  const content = names.flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`])).join("");
  const algorithm = message.SignatureVersion === "1" ? "RSA-SHA1" : "RSA-SHA256";
  return { ...message, Signature: over.Signature ?? sign(algorithm, Buffer.from(content), KEY).toString("base64") };
}

/** Returns what asks to confirm a subscription to the topic. */
export const subscription = (over: Record<string, string> = {}) =>
  snsMessage({
    Type: "SubscriptionConfirmation",
    Subject: undefined,
    Token: "2336412f37",
    SubscribeURL: `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336412f37`,
    ...over,
  });
