import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { challengeSettings, eventAnswer, type GivenChallenge } from "#lib/contracts/sources/challenge-settings";
import { hmacSettings } from "#lib/contracts/sources/scheme-settings";
import { SOURCE_TEMPLATES } from "#lib/contracts/sources/templates";
import { answerEvent, answerTo, type ChallengeRequest, secretIn, signsTexts } from "#lib/platform/schemes/challenges";
import { challengesOf, schemeOf, TEMPLATES } from "#lib/platform/schemes/templates";
import { SENDERS } from "#tests/support/senders";

type Asked = { query?: string; headers?: Record<string, string>; body?: unknown };
const requestOf = ({ query = "", headers = {}, body }: Asked): ChallengeRequest => ({
  query,
  headers,
  body: Buffer.from(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body)),
});
const answer = (challenge: GivenChallenge, asked: Asked, secret: string | null = "the-secret-of-the-sender") =>
  answerTo(challengeSettings.parse(challenge), requestOf(asked), secret);

/** As the senders' documentation has them. */
const OKTA: GivenChallenge = { asked: "get", take: "header:x-okta-verification-challenge", answer: { json: { verification: "{value}" } } };
const ACROBAT: GivenChallenge = {
  asked: "get",
  take: "header:x-adobesign-clientid",
  answer: { headers: { "x-adobesign-clientid": "{value}" } },
};
const EVENT_GRID: GivenChallenge = {
  asked: "post",
  when: [{ place: "header:aeg-event-type", equals: "SubscriptionValidation" }],
  take: "0.data.validationCode",
  answer: { json: { validationResponse: "{value}" } },
};
const CLOUD_EVENTS: GivenChallenge = {
  asked: "options",
  take: "header:webhook-request-origin",
  answer: { headers: { "webhook-allowed-origin": "{value}", "webhook-allowed-rate": "*" } },
};
const XERO: GivenChallenge = { asked: "signed", when: [{ place: "events", empty: true }], answer: {} };
const ASANA: GivenChallenge = {
  asked: "post",
  take: "header:x-hook-secret",
  learning: { secret: "header:x-hook-secret" },
  answer: { headers: { "x-hook-secret": "{value}" } },
};

describe("a challenge is answered as its data says", () => {
  it("by an echo in a JSON field, a header, or both of a header and a constant", () => {
    expect(answer(OKTA, { headers: { "x-okta-verification-challenge": "abc" } })).toMatchObject({
      status: 200,
      body: '{"verification":"abc"}',
    });
    const acrobat = answer(ACROBAT, { headers: { "x-adobesign-clientid": "CBJCHBCAABAA" } });
    expect(acrobat).toMatchObject({ body: "", headers: { "x-adobesign-clientid": "CBJCHBCAABAA", "x-content-type-options": "nosniff" } });
    const body = [{ data: { validationCode: "0000-1111" } }];
    const headers = { "aeg-event-type": "SubscriptionValidation" };
    expect(answer(EVENT_GRID, { headers, body })?.body).toBe('{"validationResponse":"0000-1111"}');
    expect(answer(EVENT_GRID, { headers: { "aeg-event-type": "Notification" }, body })).toBeNull();
    expect(answer(CLOUD_EVENTS, { headers: { "webhook-request-origin": "events.example.com" } })?.headers).toMatchObject({
      "webhook-allowed-origin": "events.example.com",
      "webhook-allowed-rate": "*",
    });
  });

  it("by a number in JSON, as Discord's", () => {
    const discord: GivenChallenge = { asked: "signed", when: [{ place: "type", equals: "1" }], answer: { json: { type: 1 } } };
    expect(answer(discord, { body: { type: 1 } })?.body).toBe('{"type":1}');
    expect(answer(discord, { body: { type: 2 } })).toBeNull();
  });

  it("an empty list is one, any other list is none", () => {
    expect(answer(XERO, { body: { events: [] } })).toMatchObject({ status: 200, body: "" });
    for (const body of [{ events: [{}] }, { events: {} }, { events: null }, {}, [], "", "events"])
      expect(answer(XERO, { body })).toBeNull();
  });

  it("brings a secret only as its place says, and only what can be one", () => {
    const brought = (value: string) => secretIn(challengeSettings.parse(ASANA), requestOf({ headers: { "x-hook-secret": value } }));
    expect(brought("b537207f20cbfa02357cf448134da559")).toBe("b537207f20cbfa02357cf448134da559");
    for (const value of ["short", "a".repeat(501), "with blanks in it", "line\nbreak-in-it"]) expect(brought(value)).toBeNull();
  });
});

describe("a forged, oversized or odd challenge gets no answer", () => {
  it.each([
    ["longer than allowed", { headers: { "x-okta-verification-challenge": "a".repeat(257) } }],
    ["with a line break", { headers: { "x-okta-verification-challenge": "a\r\nset-cookie: b" } }],
    ["with other than ASCII", { headers: { "x-okta-verification-challenge": "é" } }],
    ["empty", { headers: { "x-okta-verification-challenge": "" } }],
    ["missing", {}],
  ])("%s", (_, asked) => {
    expect(answer(OKTA, asked)).toBeNull();
  });

  it("a question in a body of more than 4 kB, or twice in the query, is none", () => {
    const challenge: GivenChallenge = { asked: "post", take: "challenge", answer: { text: "{value}" } };
    expect(answer(challenge, { body: { challenge: "a" } })?.body).toBe("a");
    expect(answer(challenge, { body: { challenge: "a", more: "b".repeat(4096) } })).toBeNull();
    const inQuery: GivenChallenge = { asked: "get", take: "query:challenge", answer: { text: "{value}" } };
    expect(answer(inQuery, { query: "challenge=a&challenge=b" })).toBeNull();
  });

  it("a verify token counts only with a secret, and only the right one", () => {
    const [meta] = challengesOf("meta", {});
    if (!meta) throw new Error("Meta asks");
    expect(answer(meta, { query: "hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1" })).toBeNull();
    expect(answer(meta, { query: "hub.mode=subscribe&hub.verify_token=&hub.challenge=1" }, null)).toBeNull();
  });

  it("no answer is a page, whatever is asked: text or JSON, never sniffed, nothing but printable ASCII", () => {
    const all = [OKTA, ACROBAT, EVENT_GRID, CLOUD_EVENTS, ASANA, ...SOURCE_TEMPLATES.flatMap((name) => [...challengesOf(name, {})])];
    const anything = fc.oneof(
      fc.string({ unit: "binary-ascii", maxLength: 300 }),
      fc.constantFrom("é", "\u2028", "<script>alert(1)</script>", "a\r\nx: y", "{value}", "{hmac}"),
    );
    fc.assert(
      fc.property(anything, fc.constantFrom(...all), (value, challenge) => {
        const place = challenge.take ?? "";
        const asked: Asked = {
          query: new URLSearchParams({ [place.replace("query:", "")]: value }).toString(),
          headers: { [place.replace("header:", "")]: value, "aeg-event-type": "SubscriptionValidation" },
          body: [{ data: { validationCode: value } }],
        };
        const given = answer(challenge, asked);
        if (given === null) return;
        expect(given.headers["content-type"]).toMatch(/^(text\/plain; charset=utf-8|application\/json)$/);
        expect(given.headers["x-content-type-options"]).toBe("nosniff");
        for (const text of Object.values(given.headers)) expect(text).toMatch(/^[\x20-\x7e]*$/);
      }),
    );
  });
});

describe("nothing becomes a signing oracle", () => {
  it("what anyone may have signed is no body that verifies", () => {
    const secret = SENDERS.x.secret;
    const [crc] = challengesOf("x", {});
    if (!crc) throw new Error("X asks");
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom('{"a":1}', "[1]", "a=b", "a=", "12345")), (body) => {
        const given = answerTo(crc, requestOf({ query: new URLSearchParams({ crc_token: body }).toString() }), secret);
        if (given === null) return;
        const { response_token: proof } = JSON.parse(given.body) as { response_token: string };
        const request = { body: Buffer.from(body), headers: { "x-twitter-webhooks-signature": proof }, url: "", remoteAddress: null };
        expect(schemeOf("x", {}).verify(request, [{ id: "1", value: secret }], 0).outcome).not.toBe("verified");
      }),
    );
  });

  it("the same holds for a sender that is described by hand", () => {
    const settings = {
      hmac: hmacSettings.parse({ header: "x-signature" }),
      challenges: [
        challengeSettings.parse({
          asked: "get",
          take: "query:c",
          hmac: { algorithm: "sha256", encoding: "hex" },
          answer: { text: "{hmac}" },
        }),
      ],
    } as const;
    const proof = createHmac("sha256", "a-shared-secret").update("a=").digest("hex");
    const verify = (body: string, signature: string) =>
      schemeOf("hmac", { ...settings, challenges: [...settings.challenges] }).verify(
        { body: Buffer.from(body), headers: { "x-signature": signature }, url: "", remoteAddress: null },
        [{ id: "1", value: "a-shared-secret" }],
        0,
      ).outcome;
    expect(verify("a=", proof)).toBe("signature_mismatch");
    expect(verify("{}", createHmac("sha256", "a-shared-secret").update("{}").digest("hex"))).toBe("verified");
  });

  it("every template whose sender has texts signed covers the whole body", () => {
    for (const name of SOURCE_TEMPLATES)
      if (signsTexts(challengesOf(name, {}))) expect(TEMPLATES[name].scheme({}).trust, name).toBe("signed");
  });
});

describe("a description", () => {
  it.each<[string, GivenChallenge]>([
    ["by POST without a condition", { asked: "post", answer: { text: "ok" } }],
    ["signed without a condition", { asked: "signed", answer: { text: "ok" } }],
    ["that answers with an HMAC of nothing", { asked: "get", hmac: { algorithm: "sha256", encoding: "hex" }, answer: { text: "{hmac}" } }],
    ["that answers with what it doesn't take", { asked: "get", answer: { text: "{value}" } }],
    ["with text and JSON", { asked: "get", take: "query:a", answer: { text: "{value}", json: { a: "{value}" } } }],
    ["that sets a cookie", { asked: "get", take: "query:a", answer: { headers: { "set-cookie": "{value}" } } }],
    ["that redirects", { asked: "get", take: "query:a", answer: { headers: { location: "{value}" } } }],
    ["that opens CORS", { asked: "options", take: "header:origin", answer: { headers: { "access-control-allow-origin": "{value}" } } }],
    ["that learns by GET", { asked: "get", take: "query:a", learning: {}, answer: { text: "ok" } }],
    ["with an unknown word", { asked: "get", take: "query:a", answer: { text: "{secret}" } }],
    ["that is endless", { asked: "get", take: "query:a", maxLength: 5000, answer: { text: "{value}" } }],
  ])("%s is refused", (_, challenge) => {
    expect(challengeSettings.safeParse(challenge).success).toBe(false);
  });
});

it("an event's answer holds the sender's text, or an echo", () => {
  const plain = eventAnswer.parse({ text: "Hello API Event Received" });
  expect(answerEvent(plain, requestOf({}))).toMatchObject({ status: 200, body: "Hello API Event Received" });
  const echo = eventAnswer.parse({ take: "header:x-adobesign-clientid", json: { xAdobeSignClientId: "{value}" } });
  expect(answerEvent(echo, requestOf({ headers: { "x-adobesign-clientid": "CBJ" } })).body).toBe('{"xAdobeSignClientId":"CBJ"}');
  expect(answerEvent(echo, requestOf({ headers: { "x-adobesign-clientid": "a\nb" } })).body).toBe('{"xAdobeSignClientId":""}');
});
