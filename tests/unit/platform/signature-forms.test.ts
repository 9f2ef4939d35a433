import { createHash, createHmac, generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type HmacSettings, hmacSettings } from "#lib/contracts/sources/scheme-settings";
import { hmacScheme } from "#lib/platform/schemes/hmac";
import type { SchemeRequest } from "#lib/platform/schemes/scheme";
import { FORM_NOW, FORMS, type SignedForm } from "#tests/support/signature-forms";

const schemeOf = (form: SignedForm) => hmacScheme(hmacSettings.parse(form.settings), { idIsSigned: false });
const secretsOf = ({ secret }: SignedForm) => [
  { id: "sec_other", value: "another-secret-that-is-valid-too" },
  { id: "sec_1", value: secret },
];
const verify = (form: SignedForm, over: Partial<SchemeRequest> = {}, now = FORM_NOW) =>
  schemeOf(form).verify({ ...form.request, remoteAddress: null, ...over }, secretsOf(form), now);

describe("time", () => {
  const late = (form: SignedForm, seconds: number) => verify(form, {}, FORM_NOW + seconds * 1000).outcome;

  it.each(["Box", "Dropbox Sign"] as const)("of %s is checked, whatever its form", (name) => {
    expect(late(FORMS[name], 299)).toBe("verified");
    expect(late(FORMS[name], 601)).toBe("signature_expired");
    expect(late(FORMS[name], -601)).toBe("signature_expired");
  });

  it.each([
    ["seconds", ["1795435200"], ["179543520", "17954352000", " 1795435200", "1795435200 ", "0x79543520", "1e9"]],
    ["milliseconds", ["1795435200000"], ["1795435200", "17954352000000", "1795435200.00"]],
    [
      "rfc3339",
      ["2026-11-23T12:00:00Z", "2026-11-23T12:00:00.123Z", "2026-11-23T05:00:00-07:00"],
      ["2026-11-23", "2026-11-23T12:00:00", "2026-13-41T12:00:00Z", "2026-11-23 12:00:00Z", "2026-11-23T12:00:00ZZ", "1795435200"],
    ],
  ] as const)("in %s has one form, and nothing else is taken for it", (timestampForm, right, wrong) => {
    const settings = hmacSettings.parse({
      header: "x-signature",
      content: "{timestamp}{body}",
      timestampHeader: "x-time",
      timestampForm,
    });
    const outcomeOf = (time: string) => {
      const headers = { "x-time": time, "x-signature": createHmac("sha256", "a-shared-secret").update(`${time}{}`).digest("hex") };
      const request = { body: Buffer.from("{}"), headers, url: "https://x.example/webhooks/a", remoteAddress: null };
      return hmacScheme(settings, { idIsSigned: false }).verify(request, [{ id: "1", value: "a-shared-secret" }], FORM_NOW).outcome;
    };
    for (const time of right) expect(outcomeOf(time), time).toBe("verified");
    for (const time of wrong) expect(outcomeOf(time), time).toBe("signature_malformed");
  });
});

// A signature is of one text. Whoever has seen a signed request must not get it to verify as another one, with the same text cut elsewhere.
describe("the parts of a content can't be shifted into each other", () => {
  const SECRET = "a-shared-secret";
  const BASE = "https://hooks.example.com/webhooks/sender";

  type Parts = { body: string; query: string; timestamp: string; id: string; type: string };
  const CONTENTS: [name: string, over: Partial<HmacSettings>][] = [
    ["time before body", { content: "{timestamp}{body}", timestampHeader: "x-time", timestampForm: "seconds" }],
    ["time after body", { content: "{body}{timestamp}", timestampHeader: "x-time", timestampForm: "rfc3339" }],
    ["URL before body", { content: "{url}{body}" }],
    ["URL after body", { content: "{body}{url}" }],
    ["method, URL, body and time", { content: "{method}{url}{body}{timestamp}", timestampHeader: "x-time", timestampForm: "milliseconds" }],
    ["URL, time and body", { content: "{url}{timestamp}{body}", timestampHeader: "x-time", timestampForm: "seconds" }],
    ["URL with text between", { content: "{url}|{body}" }],
    ["ID, time and body with text between", { content: "{id}.{timestamp}.{body}", timestampHeader: "x-time", idHeader: "x-id" }],
    [
      "time and ID before a text",
      { content: "{timestamp}{id}.{body}", timestampHeader: "x-time", timestampForm: "seconds", idHeader: "x-id" },
    ],
    ["time and a field", { content: "{timestamp}{body:type}", timestampField: "time", timestampForm: "seconds" }],
    ["two fields with text between", { content: "{body:type}@{body:time}" }],
  ];

  const requestOf = (settings: HmacSettings, { body, query, timestamp, id, type }: Parts, signature: string) => {
    const isPartly = settings.content.includes("{body:");
    return {
      body: Buffer.from(isPartly ? JSON.stringify({ type, time: timestamp }) : body),
      headers: { "x-signature": signature, "x-time": timestamp, "x-id": id },
      url: query === "" ? BASE : `${BASE}?${query}`,
      remoteAddress: null,
    };
  };

  // Pieces that a cut could move: digits, times, JSON, forms, our own URL.
  const piece = fc.constantFrom(
    ...["1", "17954352", "1795435200", "1795435200000", "2026-11-23T12:00:00Z", "{", "}", '{"a":1}', "[1]", "a=1&b=2", "?", "&", "."],
    ...["|", "@", "x", "POST", BASE, "Z", "2026"],
  );
  const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
  const time = fc.constantFrom("1795435200", "1795435201", "1795435200000", "2026-11-23T12:00:00Z", "2026-11-23T12:00:00.5Z");
  const parts: fc.Arbitrary<Parts> = fc.record({ body: text, query: text, timestamp: fc.oneof(time, text), id: text, type: text });

  const contentOf = (settings: HmacSettings, { body, query, timestamp, id, type }: Parts) =>
    settings.content
      .replace("{method}", "POST")
      .replace("{url}", () => (query === "" ? BASE : `${BASE}?${query}`))
      .replace("{timestamp}", () => timestamp)
      .replace("{id}", () => id)
      .replace("{body:type}", () => type)
      .replace("{body:time}", () => timestamp)
      .replace("{body}", () => body);

  it.each(CONTENTS)("%s", (_, over) => {
    const settings = hmacSettings.parse({ header: "x-signature", ...over });
    const scheme = hmacScheme(settings, { idIsSigned: false });
    const isTaken = (each: Parts) => {
      const signature = createHmac("sha256", SECRET).update(contentOf(settings, each)).digest("hex");
      return scheme.verify(requestOf(settings, each, signature), [{ id: "1", value: SECRET }], FORM_NOW).outcome === "verified";
    };
    // All that is read of the request; what isn't in the content may differ.
    const readOf = ({ body, query, timestamp, id, type }: Parts) => {
      const has = (name: string) => settings.content.includes(`{${name}}`);
      return JSON.stringify([
        has("body") && body,
        has("url") && query,
        (has("timestamp") || has("body:time")) && timestamp,
        has("id") && id,
        has("body:type") && type,
      ]);
    };
    const seen = new Map<string, string>();
    let taken = 0;
    fc.assert(
      fc.property(parts, (each) => {
        if (!isTaken(each)) return true;
        taken += 1;
        const content = contentOf(settings, each);
        const before = seen.get(content) ?? readOf(each);
        seen.set(content, before);
        return before === readOf(each);
      }),
      { numRuns: 4000 },
    );
    // Each way to cut one content into a query and a body.
    for (const content of [...seen.keys()].slice(0, 200)) {
      const reads = new Set(
        cutsOf(content, settings)
          .filter((each) => contentOf(settings, each) === content && isTaken(each))
          .map(readOf),
      );
      expect([...reads].length, content).toBeLessThanOrEqual(1);
    }
    expect(taken).toBeGreaterThan(5);
  });

  /** Cuts a content at every place, as a forger would. */
  function cutsOf(content: string, { content: form }: HmacSettings): Parts[] {
    const none = { body: "", query: "", timestamp: "", id: "", type: "" };
    const names = [...form.matchAll(/\{([^}]*)\}|([^{}]+)/g)].map(([, name, words]) => ({ name, words }));
    const all: Parts[] = [];
    const cut = (rest: string, index: number, found: Parts): void => {
      if (all.length > 3000) return;
      const part = names[index];
      if (part === undefined) {
        if (rest === "") all.push(found);
        return;
      }
      const fixed = part.words ?? (part.name === "method" ? "POST" : undefined);
      if (fixed !== undefined) {
        if (rest.startsWith(fixed)) cut(rest.slice(fixed.length), index + 1, found);
        return;
      }
      if (part.name === "url") {
        if (!rest.startsWith(BASE)) return;
        const after = rest.slice(BASE.length);
        cut(after, index + 1, found);
        if (!after.startsWith("?")) return;
        for (let end = 2; end <= after.length; end += 1) cut(after.slice(end), index + 1, { ...found, query: after.slice(1, end) });
        return;
      }
      const key = ({ "body:type": "type", "body:time": "timestamp" }[part.name ?? ""] ?? part.name) as keyof Parts;
      for (let end = 0; end <= rest.length; end += 1) cut(rest.slice(end), index + 1, { ...found, [key]: rest.slice(0, end) });
    };
    cut(content, 0, none);
    return all;
  }

  it.each([
    ["{id}{body}", { idHeader: "x-id" }],
    ["{timestamp}{body}", { timestampHeader: "x-time" }],
    ["{id}{timestamp}{body}", { idHeader: "x-id", timestampHeader: "x-time", timestampForm: "seconds" }],
    ["{body:a}{body:b}", {}],
    ["{id}{url}", { idHeader: "x-id" }],
    ["{timestamp}1{body}", { timestampHeader: "x-time" }],
    ["{url}{body:a}", {}],
    ["{body}{body}", {}],
    ["{body}{body:a}", {}],
    ["{body", {}],
    ["{else}{body}", {}],
    ["{secret}{body}", {}],
    ["{body}", { timestampHeader: "x-time", toleranceSeconds: 300 }],
    ["{body}", { toleranceSeconds: 300 }],
    ["{timestamp}.{body}", {}],
    ["{id}.{body}", {}],
    ["{body}", { timestampPart: "t" }],
  ])("a description with the content %s is refused", (content, over) => {
    expect(hmacSettings.safeParse({ header: "x-signature", content, ...over }).success).toBe(false);
  });
});

describe("a plain hash over secret and body", () => {
  it("can't be continued by who doesn't know the secret: padding is no text", () => {
    const form = FORMS["HubSpot v1"];
    const glue = Buffer.concat([form.request.body, Buffer.from([0x80]), Buffer.alloc(40), Buffer.from("&more=1")]);
    const signature = createHash("sha256").update(form.secret).update(glue).digest("hex");
    expect(verify(form, { body: glue, headers: { "x-hubspot-signature": signature } }).outcome).toBe("signature_mismatch");
  });
});

describe("public keys", () => {
  const ed25519 = generateKeyPairSync("ed25519");
  const body = Buffer.from('{"id":"1","type":"a.b"}');
  const scheme = hmacScheme(hmacSettings.parse({ header: "x-signature", method: "ed25519" }), { idIsSigned: false });
  const jwk = ed25519.publicKey.export({ format: "jwk" });
  const raw = Buffer.from(String(jwk.x), "base64url");
  const pem = String(ed25519.publicKey.export({ format: "pem", type: "spki" }));

  it.each([
    ["PEM", pem],
    ["PEM on one line", pem.replaceAll("\n", "")],
    ["a JWK", JSON.stringify(jwk)],
    ["hexadecimal", raw.toString("hex")],
    ["base64", raw.toString("base64")],
    ["base64 of its whole form", ed25519.publicKey.export({ format: "der", type: "spki" }).toString("base64")],
  ])("are read as %s", (_, value) => {
    const headers = { "x-signature": sign(null, body, ed25519.privateKey).toString("hex") };
    expect(scheme.verify({ body, headers, url: "", remoteAddress: null }, [{ id: "1", value }], FORM_NOW).outcome).toBe("verified");
  });

  it("of another kind, or no keys, verify nothing", () => {
    const other = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    const headers = { "x-signature": sign(null, body, ed25519.privateKey).toString("hex") };
    const values = [
      other.publicKey.export({ format: "pem", type: "spki" }) as string,
      "",
      "{",
      "-----BEGIN PUBLIC KEY-----",
      "0".repeat(64),
    ];
    for (const value of values)
      expect(scheme.verify({ body, headers, url: "", remoteAddress: null }, [{ id: "1", value }], FORM_NOW).outcome).toBe(
        "signature_mismatch",
      );
  });
});
