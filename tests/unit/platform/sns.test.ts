import { describe, expect, it } from "vitest";
import { schemeSettings } from "#lib/contracts/sources/scheme-settings";
import { keyOf, snsConfirmation } from "#lib/platform/schemes/senders/sns";
import { schemeOf } from "#lib/platform/schemes/templates";
import {
  CERTIFICATE_URL,
  SNS_CERTIFICATE,
  SNS_SECRET,
  snsMessage,
  subscription,
  TOPIC,
  WEAK_CERTIFICATE,
} from "#tests/support/sns/sns-message";

const NOW = Date.parse("2026-11-23T12:00:00Z");
const scheme = schemeOf("sns", { sns: { topics: [TOPIC] } });
const verify = (message: object, secrets = [{ id: "sec_1", value: SNS_SECRET }], now = NOW) =>
  scheme.verify({ body: Buffer.from(JSON.stringify(message)), headers: {}, url: "", remoteAddress: null }, secrets, now).outcome;

describe("a message of Amazon SNS", () => {
  it("verifies by SHA-1 (version 1) and SHA-256 (version 2), with and without a subject, and as a confirmation", () => {
    expect(verify(snsMessage({ SignatureVersion: "1" }))).toBe("verified");
    expect(verify(snsMessage({ SignatureVersion: "2" }))).toBe("verified");
    expect(verify(snsMessage({ Subject: undefined }))).toBe("verified");
    expect(verify(subscription())).toBe("verified");
    expect(verify(subscription({ Type: "UnsubscribeConfirmation" }))).toBe("verified");
  });

  it("signed by one algorithm doesn't verify by the other, nor without a version that is known", () => {
    expect(verify({ ...snsMessage({ SignatureVersion: "1" }), SignatureVersion: "2" })).toBe("signature_mismatch");
    expect(verify({ ...snsMessage(), SignatureVersion: "3" })).toBe("signature_malformed");
  });

  it.each([
    "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem",
    "https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem",
    "https://evil.example/sns.eu-west-1.amazonaws.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem",
    "https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem",
    "https://sns.eu-west-1.amazonaws.com@evil.example/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem",
    "https://s3.eu-west-1.amazonaws.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem",
    "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem",
    "https://sns.eu-west-1.amazonaws.com.cn/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem",
    "https://sns.eu-west-1.amazonaws.com/../SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem",
    "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem?x=1",
    "https://sns.eu-west-1.amazonaws.com/anything.pem",
    `${CERTIFICATE_URL}\n`,
  ])("never asks for a certificate at %s", (url) => {
    const message = snsMessage({ SigningCertURL: url });
    expect(verify(message, [])).toBe("signature_mismatch");
    expect(verify(message, [{ id: "sec_1", value: `${url}\n${SNS_CERTIFICATE}` }])).not.toBe("verified");
  });

  it("of another topic, or whose certificate is not here, is never verified", () => {
    expect(verify(snsMessage({ TopicArn: "arn:aws:sns:eu-west-1:999999999999:orders" }))).toBe("signature_mismatch");
    expect(verify(snsMessage(), [])).toBe("certificate_unknown");
    expect(verify(snsMessage(), [{ id: "sec_1", value: `${CERTIFICATE_URL}x\n${SNS_CERTIFICATE}` }])).toBe("certificate_unknown");
  });

  it("can't be cut into other fields: a line break counts in the message alone", () => {
    const signed = snsMessage({ Message: "a\nMessageId\nb", Subject: undefined });
    const cut = { ...signed, Message: "a", MessageId: `b\nMessageId\n${signed.MessageId}` };
    expect(verify(cut)).toBe("signature_malformed");
  });

  it("does not verify with a weak key, or with a certificate that has ended", () => {
    expect(keyOf(SNS_CERTIFICATE, NOW)).not.toBeNull();
    expect(keyOf(WEAK_CERTIFICATE, NOW)).toBeNull();
    expect(keyOf("no certificate", NOW)).toBeNull();
    expect(verify(snsMessage(), undefined, Date.parse("2200-01-01"))).toBe("signature_mismatch");
  });

  it("in any strange form is an outcome, never an error", () => {
    for (const strange of [null, 1, [], {}, { Type: 1 }, { ...snsMessage(), Message: 1 }, { Type: "Notification", Signature: "" }])
      expect(verify(strange as object)).toMatch(/^signature_/);
    const { Token: _, ...incomplete } = subscription();
    expect(verify(incomplete)).toBe("signature_malformed");
    expect(verify({ ...snsMessage(), Signature: "AAAA" })).toBe("signature_malformed");
  });
});

it("a subscription is only confirmed at Amazon's own address, for its own topic and token", () => {
  const visited = (over: Record<string, string>) => snsConfirmation(Buffer.from(JSON.stringify(subscription(over)))) !== null;
  const at = (host: string, topic = TOPIC, token = "2336412f37", action = "ConfirmSubscription") =>
    `https://${host}/?Action=${action}&TopicArn=${topic}&Token=${token}`;
  expect(visited({})).toBe(true);
  for (const SubscribeURL of [
    at("evil.example"),
    at("sns.us-east-1.amazonaws.com"),
    at("sns.eu-west-1.amazonaws.com.evil.example"),
    at("sns.eu-west-1.amazonaws.com", "arn:aws:sns:eu-west-1:999999999999:orders"),
    at("sns.eu-west-1.amazonaws.com", TOPIC, "another"),
    at("sns.eu-west-1.amazonaws.com", TOPIC, "2336412f37", "Unsubscribe"),
    "http://169.254.169.254/latest/meta-data/",
  ])
    expect(visited({ SubscribeURL }), SubscribeURL).toBe(false);
  expect(visited({ Type: "UnsubscribeConfirmation" })).toBe(false);
});

it("a topic is named by its whole ARN", () => {
  const isTaken = (topic: string) => schemeSettings.safeParse({ sns: { topics: [topic] } }).success;
  expect(isTaken(TOPIC)).toBe(true);
  for (const topic of ["orders", "arn:aws:sqs:eu-west-1:123456789012:orders", `${TOPIC}\n`, "arn:aws:sns:*:123456789012:orders"])
    expect(isTaken(topic), topic).toBe(false);
});
