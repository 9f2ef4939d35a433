import { createHash, createPrivateKey, sign } from "node:crypto";
import type { KnownTemplate } from "#lib/contracts/sources/templates";
import {
  type At,
  basic,
  hmac,
  inHeader,
  iso,
  isoSeconds,
  json,
  KEY,
  type KnownSender,
  NETWORK,
  seconds,
  secretIn,
} from "./made-requests.ts";
import { EC, ED_HEX, jwt, RSA, signedByDiscord } from "./sender-keys.ts";

const hubspot = (attemptNumber: number) => (at: At) => [
  {
    eventId: 100,
    subscriptionId: 200,
    portalId: 300,
    occurredAt: at.now,
    subscriptionType: "deal.propertyChange",
    attemptNumber,
    objectId: 400,
    propertyName: "dealstage",
    propertyValue: "closedwon",
  },
];
const intercom = (delivery_attempts: number) => (at: At) => ({
  type: "notification_event",
  id: "notif_1",
  topic: "conversation.admin.closed",
  created_at: Number(seconds(at)),
  delivery_attempts,
  data: { type: "notification_event_data", item: { type: "conversation", id: "17", state: "closed", title: "Refund" } },
});
const alert = (at: At) => ({
  version: "4",
  groupKey: "{}:{}",
  status: "firing",
  receiver: "signalbox",
  alerts: [
    {
      status: "firing",
      labels: { alertname: "DiskFull" },
      annotations: { summary: "/data is full" },
      startsAt: isoSeconds(at),
      endsAt: "0001-01-01T00:00:00Z",
      fingerprint: "c6eadffa33fcdf37",
    },
  ],
});
const automation = (header: string): KnownSender => ({
  secret: KEY,
  ...json((at) => ({ id: "run-1", type: "row.added", created: Number(seconds(at)) }), secretIn(header)),
});

export const OTHER_SENDERS = {
  xero: {
    secret: KEY,
    ...json(
      (at) => ({
        events: [
          {
            resourceUrl: "https://api.xero.com/x",
            resourceId: "i-33",
            eventDateUtc: iso(at).slice(0, -1),
            eventType: "UPDATE",
            eventCategory: "INVOICE",
            tenantId: "t",
          },
          {
            resourceUrl: "https://api.xero.com/y",
            resourceId: "c-33",
            eventDateUtc: iso(at).slice(0, -1),
            eventType: "CREATE",
            eventCategory: "CONTACT",
            tenantId: "t",
          },
        ],
        firstEventSequence: 1,
        lastEventSequence: 2,
        entropy: "S0m3r4Nd0mt3xt",
      }),
      inHeader("x-xero-signature", "base64"),
    ),
  },
  quickbooks: {
    secret: KEY,
    ...json(
      (at) => ({
        eventNotifications: [
          {
            realmId: "310687",
            dataChangeEvent: {
              entities: [
                { name: "Customer", id: "1", operation: "Create", lastUpdated: iso(at) },
                { name: "Vendor", id: "1", operation: "Create", lastUpdated: iso(at) },
              ],
            },
          },
        ],
      }),
      inHeader("intuit-signature", "base64"),
    ),
  },
  hubspot: {
    secret: KEY,
    ...json(
      hubspot(0),
      (body, at) => ({
        "x-hubspot-request-timestamp": String(at.now),
        "x-hubspot-signature-v3": hmac("sha256", KEY, `POST${at.url}${body}${at.now}`, "base64"),
      }),
      hubspot(1),
    ),
  },
  "hubspot-v1": {
    secret: KEY,
    ...json(
      hubspot(0),
      (body) => ({
        "x-hubspot-signature": createHash("sha256")
          .update(KEY + body)
          .digest("hex"),
        "x-hubspot-signature-version": "v1",
      }),
      hubspot(1),
    ),
  },
  zendesk: {
    secret: KEY,
    ...json(
      (at) => ({
        id: "z-36",
        type: "zen:event-type:ticket.status_changed",
        time: isoSeconds(at),
        account_id: 1,
        detail: { id: "36", status: "OPEN", subject: "Printer" },
        event: {},
      }),
      (body, at) => ({
        "x-zendesk-webhook-signature-timestamp": isoSeconds(at),
        "x-zendesk-webhook-signature": hmac("sha256", KEY, isoSeconds(at) + body, "base64"),
      }),
    ),
  },
  paddle: {
    secret: "pdl_ntfset_01h",
    ...json(
      (at) => ({
        event_id: "evt_37",
        event_type: "transaction.completed",
        occurred_at: iso(at),
        notification_id: "ntf_1",
        data: { id: "txn_37", status: "completed" },
      }),
      (body, at) => ({ "paddle-signature": `ts=${seconds(at)};h1=${hmac("sha256", "pdl_ntfset_01h", `${seconds(at)}:${body}`, "hex")}` }),
    ),
  },
  workos: {
    secret: KEY,
    ...json(
      (at) => ({ id: "event_38", event: "dsync.user.created", created_at: iso(at), data: { id: "directory_user_38" } }),
      (body, at) => ({ "workos-signature": `t=${at.now}, v1=${hmac("sha256", KEY, `${at.now}.${body}`, "hex")}` }),
    ),
  },
  calendly: {
    secret: KEY,
    ...json(
      (at) => ({
        event: "invitee.created",
        created_at: iso(at),
        payload: { uri: "https://api.calendly.com/invitees/39", status: "active", name: "Mara" },
      }),
      (body, at) => ({ "calendly-webhook-signature": `t=${seconds(at)},v1=${hmac("sha256", KEY, `${seconds(at)}.${body}`, "hex")}` }),
    ),
  },
  alertmanager: { secret: KEY, ...json(alert, secretIn("authorization", "Bearer ")) },
  grafana: { secret: KEY, ...json(alert, inHeader("x-grafana-alerting-signature", "hex")) },
  pagerduty: {
    secret: KEY,
    ...json(
      (at) => ({
        event: {
          id: "e-42",
          event_type: "incident.triggered",
          resource_type: "incident",
          occurred_at: iso(at),
          data: { id: "PGR0VU2", status: "triggered", title: "Disk" },
        },
      }),
      (body) => ({ "x-pagerduty-signature": `v1=${hmac("sha256", KEY, body, "hex")}` }),
    ),
  },
  cloudevents: {
    secret: KEY,
    ...json(
      () => ({ order: 43 }),
      (_, at) => ({
        authorization: `Bearer ${KEY}`,
        "ce-specversion": "1.0",
        "ce-id": "43",
        "ce-source": "/orders",
        "ce-type": "com.example.order",
        "ce-time": iso(at),
      }),
    ),
  },
  rootly: {
    secret: KEY,
    ...json(
      (at) => ({
        event: { id: "e-44", type: "incident.created", issued_at: iso(at) },
        data: { id: "inc-44", status: "started", title: "Disk" },
      }),
      (body, at) => ({ "x-rootly-signature": `t=${seconds(at)},v1=${hmac("sha256", KEY, seconds(at) + body, "hex")}` }),
    ),
  },
  trello: {
    secret: KEY,
    noQuery: true,
    ...json(
      (at) => ({
        action: {
          id: "a-45",
          type: "updateCard",
          date: iso(at),
          data: { card: { id: "c-45", name: "Offer" }, list: { name: "Done" }, board: { name: "Sales" } },
        },
        model: {},
      }),
      (body, at) => ({ "x-trello-webhook": hmac("sha1", KEY, body + at.url, "base64") }),
    ),
  },
  asana: {
    secret: KEY,
    ...json(
      (at) => ({
        events: [
          {
            user: { gid: "1" },
            created_at: iso(at),
            action: "changed",
            resource: { gid: "46", resource_type: "task" },
            change: { field: "completed", action: "changed" },
          },
          {
            user: { gid: "1" },
            created_at: iso(at),
            action: "changed",
            resource: { gid: "46", resource_type: "task" },
            change: { field: "assignee", action: "changed" },
          },
        ],
      }),
      inHeader("x-hook-signature", "hex"),
    ),
  },
  okta: {
    secret: KEY,
    ...json(
      (at) => ({
        eventType: "com.okta.event_hook",
        data: { events: [{ uuid: "u-47", eventType: "user.lifecycle.create", published: iso(at) }] },
      }),
      secretIn("authorization"),
    ),
  },
  "event-grid": {
    secret: KEY,
    ...json(
      (at) => [
        {
          id: "g-48",
          topic: "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/files",
          eventType: "Microsoft.Storage.BlobCreated",
          subject: "/blob",
          eventTime: iso(at),
          data: { url: "https://x" },
          dataVersion: "1",
          metadataVersion: "1",
        },
      ],
      secretIn("x-signalbox-token"),
    ),
  },
  monday: {
    secret: KEY,
    ...json(
      (at) => ({ event: { type: "create_pulse", triggerUuid: "m-49", triggerTime: iso(at), pulseId: 49, pulseName: "Offer", boardId: 5 } }),
      (_, at) => ({
        authorization: jwt({ alg: "HS256" }, { accountId: 1, iat: Number(seconds(at)), exp: Number(seconds(at)) + 300 }, KEY),
      }),
    ),
  },
  "zoho-payments": {
    secret: KEY,
    ...json(
      (at) => ({
        event_id: "z-50",
        event_type: "payment.succeeded",
        event_time: Number(seconds(at)),
        event_object: { payment: { payment_id: "50", status: "succeeded" } },
      }),
      (body, at) => ({ "x-zoho-webhook-signature": `t=${at.now},v=${hmac("sha256", KEY, `${at.now}.${body}`, "hex")}` }),
    ),
  },
  buildkite: {
    secret: KEY,
    ...json(
      (at) => ({
        event: "build.finished",
        build: { id: "b-51", state: "passed", message: "Release", finished_at: iso(at), branch: "main" },
        pipeline: { name: "web" },
      }),
      (body, at) => ({
        "x-buildkite-event": "build.finished",
        "x-buildkite-signature": `timestamp=${seconds(at)},signature=${hmac("sha256", KEY, `${seconds(at)}.${body}`, "hex")}`,
      }),
    ),
  },
  sentry: {
    secret: KEY,
    ...json(
      () => ({ action: "created", data: { issue: { id: "52", title: "TypeError", status: "unresolved", project: { slug: "web" } } } }),
      (body, at) => ({
        "request-id": "r-52",
        "sentry-hook-resource": "issue",
        "sentry-hook-timestamp": seconds(at),
        "sentry-hook-signature": hmac("sha256", KEY, body, "hex"),
      }),
    ),
  },
  jira: {
    secret: KEY,
    ...json(
      (at) => ({
        timestamp: at.now,
        webhookEvent: "jira:issue_updated",
        issue: { key: "WEB-53", fields: { summary: "Disk", status: { name: "Done" }, project: { key: "WEB" } } },
      }),
      (body) => ({ "x-atlassian-webhook-identifier": "w-53", "x-hub-signature": `sha256=${hmac("sha256", KEY, body, "hex")}` }),
    ),
  },
  clickup: {
    secret: KEY,
    ...json(
      (at) => ({
        event: "taskUpdated",
        task_id: "54",
        webhook_id: "w",
        history_items: [{ id: "h-54", date: String(at.now), field: "status" }],
      }),
      inHeader("x-signature", "hex"),
    ),
  },
  intercom: { secret: KEY, ...json(intercom(1), inHeader("x-hub-signature", "hex", "sha1=", "sha1"), intercom(2)) },
  "lemon-squeezy": {
    secret: KEY,
    ...json(
      (at) => ({
        meta: { event_name: "order_created" },
        data: { type: "orders", id: "56", attributes: { status: "paid", user_email: "a@example.com", updated_at: iso(at) } },
      }),
      (body) => ({ "x-event-name": "order_created", "x-signature": hmac("sha256", KEY, body, "hex") }),
    ),
  },
  bitbucket: {
    secret: KEY,
    ...json(
      () => ({
        pullrequest: { id: 57, state: "OPEN", title: "Fix", links: { html: { href: "https://bitbucket.org/acme/web/pull-requests/57" } } },
        repository: { full_name: "acme/web" },
      }),
      (body) => ({
        "x-event-key": "pullrequest:created",
        "x-request-uuid": "r-57",
        "x-hub-signature": `sha256=${hmac("sha256", KEY, body, "hex")}`,
      }),
    ),
  },
  "marketing-cloud": {
    secret: KEY,
    ...json(
      (at) => [
        {
          eventCategoryType: "TransactionalSendEvents.EmailSent",
          timestampUTC: at.now,
          compositeId: "58.1",
          composite: { jobId: "58", subscriberId: "2" },
        },
      ],
      inHeader("x-sfmc-ens-signature", "base64"),
    ),
  },
  postmark: {
    secret: "user:the-password",
    ...json(
      (at) => ({ RecordType: "Delivery", MessageID: "pm-59", Recipient: "a@example.com", DeliveredAt: isoSeconds(at) }),
      basic("user:the-password"),
    ),
  },
  telegram: {
    secret: "a_token-of-the-bot",
    ...json(
      (at) => ({ update_id: 60, message: { message_id: 1, date: Number(seconds(at)), text: "Hello" } }),
      () => ({ "x-telegram-bot-api-secret-token": "a_token-of-the-bot" }),
    ),
  },
  zapier: automation("x-zapier-secret"),
  make: automation("x-make-secret"),
  n8n: automation("x-n8n-secret"),
  opsgenie: {
    secret: "user:the-password",
    ...json(
      (at) => ({ action: "Create", alert: { alertId: "al-64", message: "Disk", updatedAt: Number(`${at.now}000000`), priority: "P1" } }),
      basic("user:the-password"),
    ),
  },
  mailgun: {
    secret: KEY,
    ...json(
      (at) => ({
        signature: { timestamp: seconds(at), token: "tok-65", signature: hmac("sha256", KEY, `${seconds(at)}tok-65`, "hex") },
        "event-data": {
          id: "mg-65",
          event: "delivered",
          timestamp: Number(seconds(at)) + 0.25,
          recipient: "a@example.com",
          message: { headers: { "message-id": "m1" } },
        },
      }),
      () => ({}),
    ),
  },
  sendgrid: {
    secret: EC.publicKey.export({ format: "der", type: "spki" }).toString("base64"),
    ...json(
      (at) => [{ email: "a@example.com", timestamp: Number(seconds(at)), event: "delivered", sg_event_id: "sg-66", sg_message_id: "m-66" }],
      (body, at) => ({
        "x-twilio-email-event-webhook-timestamp": seconds(at),
        "x-twilio-email-event-webhook-signature": sign("sha256", Buffer.from(seconds(at) + body), EC.privateKey).toString("base64"),
      }),
    ),
  },
  discord: {
    secret: ED_HEX,
    ...json(
      (at) => ({ version: 1, application_id: "1", type: 1, event: { type: "APPLICATION_AUTHORIZED", timestamp: iso(at), data: {} } }),
      (body, at) => signedByDiscord(seconds(at), body),
    ),
  },
  plaid: {
    secret: JSON.stringify({ ...EC.publicKey.export({ format: "jwk" }), alg: "ES256", kid: "k1", use: "sig" }),
    ...json(
      () => ({ webhook_type: "TRANSACTIONS", webhook_code: "SYNC_UPDATES_AVAILABLE", item_id: "it-68", environment: "production" }),
      (body, at) => ({
        "plaid-verification": jwt(
          { alg: "ES256", kid: "k1" },
          { iat: Number(seconds(at)), request_body_sha256: createHash("sha256").update(body).digest("hex") },
          EC.privateKey,
        ),
      }),
    ),
  },
  kinde: {
    secret: RSA.publicKey.export({ format: "pem", type: "spki" }).toString(),
    settings: { jwt: { algorithm: "RS256", toleranceSeconds: null } },
    make: (at) => ({
      body: jwt(
        { alg: "RS256", kid: "k2" },
        {
          event_id: "ev-69",
          type: "user.created",
          timestamp: iso(at),
          source: "admin",
          data: { user: { id: "kp_69", email: "a@example.com" } },
        },
        createPrivateKey(RSA.privateKey.export({ format: "pem", type: "pkcs8" })),
      ),
      headers: { "content-type": "application/jwt" },
    }),
  },
  salesforce: {
    secret: "",
    settings: NETWORK,
    remoteAddress: "10.1.2.3",
    make: (at) => ({
      body: `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body><notifications xmlns="http://soap.sforce.com/2005/09/outbound"><OrganizationId>00D</OrganizationId><Notification><Id>04l70</Id><sObject xmlns:sf="urn:sobject.enterprise.soap.sforce.com"><sf:Id>003</sf:Id><sf:Name>ACME</sf:Name><sf:LastModifiedDate>${iso(at)}</sf:LastModifiedDate></sObject></Notification></notifications></soapenv:Body></soapenv:Envelope>`,
      headers: { "content-type": "text/xml; charset=utf-8" },
    }),
  },
} satisfies Partial<Record<KnownTemplate, KnownSender>>;
