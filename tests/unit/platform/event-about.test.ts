import { expect, it } from "vitest";
import { eventReading } from "#lib/contracts/sources/scheme-settings";
import { SOURCE_TEMPLATES, type SourceTemplateName } from "#lib/contracts/sources/templates";
import { NO_MAPPING } from "#lib/platform/field-names";
import { aboutOf, MAX_ABOUT, readEvents, readingOfStored } from "#lib/platform/read-event";
import { TEMPLATES } from "#lib/platform/schemes/templates";
import { KNOWN_NAMES, knownSender } from "#tests/support/known-senders/known-senders";

const storedOf = (template: SourceTemplateName, reading: Parameters<typeof readingOfStored>[0]["reading"] = null) =>
  readingOfStored({ name: "any", template, records: "none", record: null, reading, mapping: NO_MAPPING });

const about = (template: SourceTemplateName, body: unknown) =>
  aboutOf(Buffer.from(typeof body === "string" ? body : JSON.stringify(body)), storedOf(template));

const own = (texts: string[], body: string) => aboutOf(Buffer.from(body), { ...storedOf("hmac"), event: { type: ["type"], about: texts } });

const repository = { full_name: "acme/api" };
const project = { path_with_namespace: "acme/api" };

it.each<[SourceTemplateName, unknown, string | undefined]>([
  ["github", { repository, pull_request: { number: 12, title: "Fix the login" } }, "acme/api #12 Fix the login"],
  ["github", { repository, ref: "refs/heads/main", head_commit: { message: "One\n\nTwo" } }, "acme/api refs/heads/main: One Two"],
  ["github", { zen: "Keep it logically awesome." }, undefined],
  ["github", `payload=${encodeURIComponent(JSON.stringify({ repository, issue: { number: 3, title: "A = b" } }))}`, "acme/api #3 A = b"],
  ["stripe", { data: { object: { object: "invoice", id: "in_1", number: "A-0001" } } }, "invoice A-0001 · in_1"],
  ["stripe", { data: { object: { object: "charge", id: "ch_1" } } }, "charge ch_1"],
  ["shopify", { id: 1, name: "#1001" }, "#1001"],
  ["slack", { event: { type: "message", user: "U1", channel: "C1", text: "hello" } }, "U1 in C1"],
  ["linear", { data: { identifier: "ENG-7", title: "Slow list" } }, "ENG-7 Slow list"],
  ["gitlab", { project, object_attributes: { iid: 4, title: "Fix", source_branch: "fix" } }, "acme/api !4 Fix (fix)"],
  ["gitlab-token", { project, object_attributes: { iid: 4, title: "Broken" } }, "acme/api #4 Broken"],
  ["docusign", { data: { envelopeSummary: { emailSubject: "Please sign" } } }, "Please sign"],
  ["pandadoc", { data: { name: "Offer", created_by: { email: "jo@example.com" } } }, "Offer from jo@example.com"],
  ["dropbox-sign", { signature_request: { title: "NDA" } }, "NDA"],
  ["zendesk", { detail: { id: "5158", subject: "Printer" } }, "#5158 Printer"],
  ["sentry", { data: { issue: { shortId: "APP-1", title: "TypeError" } } }, "APP-1 TypeError"],
  ["square", { data: { type: "payment", id: "p1", object: {} } }, "payment p1"],
  ["zoom", { payload: { object: { id: "9", topic: "Weekly" } } }, "Weekly"],
  ["twilio", "MessageSid=SM1&From=%2B1555&To=%2B1666", "+1555 to +1666"],
  ["sns", { Type: "Notification", Subject: "Disk full", Message: "{}" }, "Disk full"],
  ["microsoft-graph", { subscriptionId: "s", resource: "users/1/messages/2" }, "users/1/messages/2"],
  ["telegram", { update_id: 1, message: { from: { first_name: "Mara" }, chat: { title: "Ops" } } }, "Mara in Ops"],
  ["okta", { displayMessage: "Create user", target: [{ displayName: "Mara" }] }, "Create user: Mara"],
  ["cloudevents", { source: "/orders", subject: "order/7" }, "order/7"],
  ["acrobat-sign", { agreement: { id: "a1" } }, "document a1"],
  ["kinde", { data: { user: { id: "kp_1", email: "mara@example.com" } } }, "mara@example.com"],
  ["pagerduty", { event: { data: { number: 9, title: "Disk full" } } }, "#9 Disk full"],
])("%s: an event says what it is about", (template, body, text) => {
  expect(about(template, body)).toBe(text);
});

/** Their fields are their users' own or stand in headers alone; or the example leaves out what they say it by (above). */
const SILENT = ["google-drive", "cloudevents", "okta", "telegram", "zapier", "make", "n8n", "discord"];

it("of every known sender's documented event a row says what it is about, also where it makes no records", () => {
  const now = new Date();
  // What Kinde sends is read from its token (above).
  const silent = KNOWN_NAMES.filter((each) => each !== "kinde").filter((name) => {
    const { body, headers, query = "" } = knownSender(name).make({ url: "https://example.com/webhooks/any", now: now.getTime() });
    const read = readEvents({ body: Buffer.from(body), headers, query, receivedAt: now }, storedOf(name));
    if (read.outcome !== "events") throw new Error(`${name}: ${read.outcome}`);
    return read.events.some((event) => aboutOf(event.body, storedOf(name)) === undefined);
  });
  expect(silent).toEqual(SILENT);
});

it("every template's texts are ones that a source could have", () => {
  for (const name of SOURCE_TEMPLATES) {
    const { reading } = TEMPLATES[name];
    if (reading) expect(eventReading.safeParse(reading).error, name).toBeUndefined();
  }
});

it("a place without a value leaves its text out; numbers keep their digits, and text in braces is no place", () => {
  expect(own(["{a} {b}", "{a}"], '{"a":"{b}","b":null}')).toBe("{b}");
  expect(own(["{n} {m}"], '{"n":12345678901234567890123,"m":12.50}')).toBe("12345678901234567890123 12.50");
  expect(own(["{a}", "{items.0.sku}"], '{"a":" ","items":[{"sku":"x"}]}')).toBe("x");
  expect(own(["{a}"], '{"a":{"b":1}}')).toBeUndefined();
  expect(own(["{toString}"], "{}")).toBeUndefined();
  expect(own(["{a}"], "no JSON")).toBeUndefined();
});

it("is one line of plain text within its bound, whole characters only, and turns no direction", () => {
  expect(own(["{a}"], JSON.stringify({ a: "one\r\n\ttwo\u0000\u202ethree\u2066" }))).toBe("one two three");
  const long = own(["{a}"], JSON.stringify({ a: `${"x".repeat(MAX_ABOUT - 2)}${"😀".repeat(40)}` }));
  expect(long).toBe(`${"x".repeat(MAX_ABOUT - 2)}…`);
  expect(own(["{a}{a}"], JSON.stringify({ a: "y".repeat(65_000) }))).toHaveLength(MAX_ABOUT);
});

it("a reading of one's own without such texts has the template's", () => {
  const body = Buffer.from(JSON.stringify({ repository }));
  expect(aboutOf(body, storedOf("github", { type: ["action"] }))).toBe("acme/api");
  expect(aboutOf(body, storedOf("github", { type: ["action"], about: ["in {repository.full_name}"] }))).toBe("in acme/api");
});

it.each([
  ["no place", "must contain a place in braces"],
  ["{header:x-github-event}", "no headers"],
  ["{}", "no headers"],
  ["{a} }", "has a brace"],
])("%j is no such text", (text, why) => {
  const { error } = eventReading.safeParse({ type: ["type"], about: [text] });
  expect(error?.issues.map(({ message }) => message).join(" ")).toContain(why);
});
