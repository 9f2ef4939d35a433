import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type KnownTemplate, SOURCE_TEMPLATES } from "#lib/contracts/sources/templates";
import { listTemplates } from "#lib/flows/sources/manage-sources";
import { PLATFORM_READING, readEvents } from "#lib/platform/read-event";
import { schemeOf, TEMPLATES } from "#lib/platform/schemes/templates";

const RECEIVED = Date.UTC(2026, 10, 23, 12);

const tried = new Set<KnownTemplate>();

function outcomeOf(
  template: KnownTemplate,
  secret: string,
  body: string,
  headers: Record<string, string> = {},
  receivedAt = RECEIVED,
): string {
  tried.add(template);
  const request = { body: Buffer.from(body), headers, url: "https://hooks.example.com/webhooks/sender", remoteAddress: null };
  return schemeOf(template, {}).verify(request, [{ id: "s", value: secret }], receivedAt).outcome;
}

/** Returns the ID of each event of a request, and its type. */
function eventsOf(template: KnownTemplate, body: string): [string, string][] {
  const request = { body: Buffer.from(body), headers: {}, query: "", receivedAt: new Date(RECEIVED) };
  const read = readEvents(request, { ...PLATFORM_READING, event: TEMPLATES[template].reading });
  if (read.outcome !== "events") throw new Error(read.outcome);
  return read.events.map(({ envelope: { id, type } }) => [String(id), type]);
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

  // github.com/PagerDuty/go-pagerduty, webhookv3/webhookv3_test.go
  it("PagerDuty's incident of a changed priority", () => {
    const key = "lDQHScfUeXUKaQRNF+8XIiDKZ7XX3itBAYzwU0TARw8lJqRnkKl2iB1anSb0Z+IK";
    const body = JSON.stringify(PAGERDUTY);
    const signature = "v1=0c0b9495b893a39e70d1fea2fe11fbe0a825f88b9f67846f6cc07dd2bc5476cd";
    expect(outcomeOf("pagerduty", key, body, { "x-pagerduty-signature": signature })).toBe("verified");
    expect(outcomeOf("pagerduty", key, `${body} `, { "x-pagerduty-signature": signature })).toBe("signature_mismatch");
    expect(eventsOf("pagerduty", body)).toEqual([["01BWDWL3NYY7LUFPZCC28QUCMK", "incident.priority_updated"]]);
  });

  // github.com/buildkite/go-buildkite, webhook_test.go
  it("Buildkite's ping", () => {
    const key = "29b1ff5779c76bd48ba6705eb99ff970";
    const body = JSON.stringify(BUILDKITE);
    const signedAt = 1642080837;
    const signature = "582d496ac2d869dd97a3101c4cda346288c49a742592daf582ec64c86449f79c";
    const outcome = (sent: string, at = signedAt) =>
      outcomeOf("buildkite", key, sent, { "x-buildkite-signature": `timestamp=${at},signature=${signature}` }, signedAt * 1000);
    expect(outcome(body)).toBe("verified");
    expect([outcome(`${body} `), outcome(body, signedAt + 1)]).toEqual(["signature_mismatch", "signature_mismatch"]);
  });

  // github.com/mailgun/mailgun-php, tests/Api/WebhookTest.php: the signature of one token, and another token that it isn't of
  it("Mailgun's signature of a token", () => {
    const body = (token: string) => {
      const signature = "9cfc5c41582e51246e73c88d34db3af0a3a2692a76fbab81492842f000256d33";
      return JSON.stringify({ signature: { timestamp: "1403645220", token, signature }, "event-data": { event: "delivered" } });
    };
    const outcome = (token: string) => outcomeOf("mailgun", "key-3ax6xnjp29jd6fds4gc373sgvjxteol0", body(token), {}, 1403645220_000);
    expect(outcome("5egbgr1vjgqxtrnp65xfznchgdccwh5d6i09vijqi3whgowmn6")).toBe("verified");
    expect(outcome("owyldpe6nxhmrn78epljl6bj0orrki1u3d2v5e6cnlmmuox8jr")).toBe("signature_mismatch");
  });

  // github.com/intuit/QuickBooks-V3-Java-SDK, WebhooksServiceTest
  it("QuickBooks' notification of a new customer", () => {
    const key = "b5771f19b12ddb4bcdb9f08bdc50bc63878a";
    const entities = [{ name: "Customer", id: "1", operation: "Create", lastUpdated: "2015-10-05T14:42:19-0700" }];
    const body = JSON.stringify({ eventNotifications: [{ realmId: "1185883450", dataChangeEvent: { entities } }] });
    const headers = { "intuit-signature": "JC2GUwciPmRBwEO7WvrRmKqu9tGOKL8FFallocTFi8Q=" };
    expect(outcomeOf("quickbooks", key, body, headers)).toBe("verified");
    expect(outcomeOf("quickbooks", key, `${body} `, headers)).toBe("signature_mismatch");
    expect(eventsOf("quickbooks", body)).toEqual([["1185883450.Customer.1.Create.2015-10-05T14:42:19-0700", "Customer.Create"]]);
  });

  // What Alertmanager 0.25.0 (Debian 12) sent for two alerts of one group, and when the first was resolved.
  it("Alertmanager's notifications: an alert that fires on is the same event, one that is resolved another", () => {
    const headers = { authorization: "Bearer a-key-that-only-the-sender-has" };
    const bodies = [alertmanager("firing", "0001-01-01T00:00:00Z"), alertmanager("resolved", "2026-11-29T10:44:44Z")];
    expect(bodies.map((body) => Buffer.byteLength(body))).toEqual([804, 806]);
    const [first = "", second = ""] = bodies;
    expect(outcomeOf("alertmanager", "a-key-that-only-the-sender-has", first, headers)).toBe("verified");
    expect(outcomeOf("alertmanager", "a-key-that-only-the-sender-had", first, headers)).toBe("signature_mismatch");
    const [fires, other] = eventsOf("alertmanager", first);
    expect([fires, other]).toEqual([
      ["ba67171fec121609.firing.2026-11-29T10:44:41Z", "alert.firing"],
      ["d31c79056b60cdbe.firing.2026-11-29T10:44:41Z", "alert.firing"],
    ]);
    expect(eventsOf("alertmanager", second)).toEqual([["ba67171fec121609.resolved.2026-11-29T10:44:41Z", "alert.resolved"], other]);
  });

  it("of every sender that is said to be checked with its own bytes", () => {
    const said = (Object.keys(TEMPLATES) as KnownTemplate[]).filter((name) => TEMPLATES[name].proof === "bytes");
    expect([...tried].sort()).toEqual(said.sort());
  });
});

// github.com/grafana/alerting, http/hmac.go, against the documentation of the webhook receiver
it.each(["x-grafana-alerting-signature", "x-grafana-alert-signature"])("Grafana's signature counts in the header %s", (header) => {
  const headers = { [header]: createHmac("sha256", "secret").update("test message").digest("hex") };
  const verify = (body: string) => {
    const request = { body: Buffer.from(body), headers, url: "https://hooks.example.com/webhooks/sender", remoteAddress: null };
    return schemeOf("grafana", {}).verify(request, [{ id: "s", value: "secret" }], RECEIVED).outcome;
  };
  expect([verify("test message"), verify("test message.")]).toEqual(["verified", "signature_mismatch"]);
});

const pagerDuty = (kind: string, id: string, summary: string, type: string) => ({
  html_url: `https://acme.pagerduty.com/${kind}/${id}`,
  id,
  self: `https://api.pagerduty.com/${kind}/${id}`,
  summary,
  type: `${type}_reference`,
});

const PAGERDUTY = {
  event: {
    id: "01BWDWL3NYY7LUFPZCC28QUCMK",
    event_type: "incident.priority_updated",
    resource_type: "incident",
    occurred_at: "2021-04-26T17:36:27.458Z",
    agent: pagerDuty("users", "PLH1HKV", "Tenex Engineer", "user"),
    client: null,
    data: {
      id: "PGR0VU2",
      type: "incident",
      self: "https://api.pagerduty.com/incidents/PGR0VU2",
      html_url: "https://acme.pagerduty.com/incidents/PGR0VU2",
      number: 2,
      status: "triggered",
      title: "A little bump in the road",
      service: pagerDuty("services", "PF9KMXH", "API Service", "service"),
      assignees: [pagerDuty("users", "PTUXL6G", "User 123", "user")],
      escalation_policy: pagerDuty("escalation_policies", "PUS0KTE", "Default", "escalation_policy"),
      teams: [pagerDuty("teams", "PFCVPS0", "Engineering", "team")],
      priority: {
        html_url: "https://acme.pagerduty.com/account/incident_priorities",
        id: "PSO75BM",
        self: "https://api.pagerduty.com/priorities/PSO75BM",
        summary: "P1",
        type: "priority_reference",
      },
      urgency: "high",
      conference_bridge: { conference_number: 1000, conference_url: "https://example.com" },
      resolve_reason: null,
    },
  },
};

const BUILDKITE = {
  event: "ping",
  service: {
    id: "c9f8372d-c0cd-43dc-9274-768a875cf6ca",
    provider: "webhook",
    settings: { url: "https://server.com/webhooks" },
  },
  organization: {
    id: "49801950-1df0-474f-bb56-ad6a930c5cb9",
    graphql_id: "T3JnYW5pemF0aW9uLS0tZTBmMzk3MgsTksGkxOWYtZTZjNzczZTJiYjEy",
    url: "https://api.buildkite.com/v2/organizations/acme-inc",
    web_url: "https://buildkite.com/acme-inc",
    name: "ACME Inc",
    slug: "acme-inc",
    agents_url: "https://api.buildkite.com/v2/organizations/acme-inc/agents",
    emojis_url: "https://api.buildkite.com/v2/organizations/acme-inc/emojis",
    created_at: "2021-02-03T20:34:10.486Z",
    pipelines_url: "https://api.buildkite.com/v2/organizations/acme-inc/pipelines",
  },
  sender: { id: "c9f8372d-c0cd-43dc-9269-bcbb7f308e3f", name: "ACME Man" },
};

function alertmanager(status: string, endsAt: string): string {
  const alert = (instance: string, fingerprint: string, [state, end]: [string, string]) => ({
    status: state,
    labels: { alertname: "DiskFull", instance, severity: "page" },
    annotations: { summary: "/data is full" },
    startsAt: "2026-11-29T10:44:41Z",
    endsAt: end,
    generatorURL: "",
    fingerprint,
  });
  const body = {
    receiver: "signalbox",
    status: "firing",
    alerts: [alert("db-1", "ba67171fec121609", [status, endsAt]), alert("db-2", "d31c79056b60cdbe", ["firing", "0001-01-01T00:00:00Z"])],
    groupLabels: { alertname: "DiskFull" },
    commonLabels: { alertname: "DiskFull", severity: "page" },
    commonAnnotations: { summary: "/data is full" },
    externalURL: "http://vm:19093",
    version: "4",
    groupKey: '{}:{alertname="DiskFull"}',
    truncatedAlerts: 0,
  };
  return `${JSON.stringify(body)}\n`;
}

it("every template stands in docs/sources.md, and says in one sentence each where its secret is found and when it tries again", () => {
  const page = readFileSync("docs/sources.md", "utf8");
  for (const name of SOURCE_TEMPLATES) {
    expect(page, name).toMatch(new RegExp(`^\\| [^|]*\`${name}\``, "m"));
    const { secretHint, retries } = TEMPLATES[name];
    for (const words of [secretHint, retries]) expect(words, name).toMatch(/^[\p{L}\p{N}@].*\.$/u);
  }
});

it("a known sender names where its facts are from, and what it could not be checked against", () => {
  const known = SOURCE_TEMPLATES.flatMap((name) => (TEMPLATES[name].facts === undefined ? [] : [TEMPLATES[name]]));
  expect(known.length).toBeGreaterThanOrEqual(65);
  for (const { title, facts = [], proof, docsUrl, records, record } of known) {
    expect([facts.length > 0, proof !== undefined, docsUrl !== null], title).toEqual([true, true, true]);
    expect(record !== undefined, title).toBe(records !== "none");
  }
});

it("tells each template's own places", () => {
  expect(listTemplates().find(({ name }) => name === "stripe")?.reading).toMatchObject({ id: ["id"], type: ["type"] });
  expect(listTemplates().find(({ name }) => name === "platform")?.reading).toBeNull();
});
