import { describe, expect, it } from "vitest";
import type { KnownTemplate } from "#lib/contracts/sources/templates";
import { schemeOf } from "#lib/platform/schemes/templates";

const RECEIVED = Date.UTC(2026, 10, 23, 12);

function outcomeOf(template: KnownTemplate, secret: string, body: string, headers: Record<string, string> = {}): string {
  const request = { body: Buffer.from(body), headers, url: "https://hooks.example.com/webhooks/sender", remoteAddress: null };
  return schemeOf(template, {}).verify(request, [{ id: "s", value: secret }], RECEIVED).outcome;
}

/** Requests that the senders made themselves, as they publish them. */
describe("bytes made by the sender verify, and one character more does not", () => {
  // github.com/sendgrid/sendgrid-nodejs, packages/eventwebhook/src/eventwebhook.spec.js
  it("SendGrid's signed events", () => {
    const key =
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==";
    const event = {
      email: "hello@world.com",
      event: "dropped",
      reason: "Bounced Address",
      sg_event_id: "ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA",
      sg_message_id: "LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0",
      "smtp-id": "<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>",
      timestamp: 1600112492,
    };
    const body = `${JSON.stringify([event])}\r\n`;
    const headers = {
      "x-twilio-email-event-webhook-timestamp": "1600112502",
      "x-twilio-email-event-webhook-signature":
        "MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=",
    };
    expect(outcomeOf("sendgrid", key, body, headers)).toBe("verified");
    expect(outcomeOf("sendgrid", key, `${body} `, headers)).toBe("signature_mismatch");
    expect(outcomeOf("sendgrid", key, body, { ...headers, "x-twilio-email-event-webhook-timestamp": "1600112503" })).toBe(
      "signature_mismatch",
    );
  });

  // github.com/hellosign/dropbox-sign-java, the example of EventCallbackHelper
  it("Dropbox Sign's hash of a callback's time and type", () => {
    const key = "324e3b0840f065eb51f3fd63231d0d33daa35d4ed10d27718839e81737065782";
    const callback = (event_time: string, event_type = "account_confirmed") => {
      const event_hash = "ff8b03439122f9160500c3fb855bdee5a9ccba5fff27d3b258745d8f3074832f";
      const json = JSON.stringify({ event: { event_type, event_time, event_hash, event_metadata: {} } });
      return `--x\r\nContent-Disposition: form-data; name="json"\r\n\r\n${json}\r\n--x--\r\n`;
    };
    expect(outcomeOf("dropbox-sign", key, callback("1669926463"))).toBe("verified");
    expect(outcomeOf("dropbox-sign", key, callback("1669926464"))).toBe("signature_mismatch");
    expect(outcomeOf("dropbox-sign", key, callback("1669926463", "account_confirmeD"))).toBe("signature_mismatch");
    // The same text, cut at another place: the time has a strict form.
    expect(outcomeOf("dropbox-sign", key, callback("166992646", "3account_confirmed"))).not.toBe("verified");
  });

  // support.atlassian.com/bitbucket-cloud/docs/manage-webhooks; developer.atlassian.com/cloud/jira/platform/webhooks
  it.each(["bitbucket", "jira"] as const)("Atlassian's example, as %s has it", (template) => {
    const headers = { "x-hub-signature": "sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9" };
    expect(outcomeOf(template, "It's a Secret to Everybody", "Hello World!", headers)).toBe("verified");
    expect(outcomeOf(template, "It's a Secret to Everybody", "Hello World.", headers)).toBe("signature_mismatch");
  });
});
