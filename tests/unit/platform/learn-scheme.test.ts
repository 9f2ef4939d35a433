import { expect, it } from "vitest";
import type { KnownTemplate } from "#lib/contracts/sources/templates";
import { SOURCE_TEMPLATES } from "#lib/contracts/sources/templates";
import { fitsOf, undecided, whyNothingFits } from "#lib/platform/diagnosis/learn-scheme";
import { isBasic, schemeOf, TEMPLATES } from "#lib/platform/schemes/templates";
import { NOW, SENDERS, URL_SIGNED } from "#tests/support/senders";

/** Headers that tell senders of one signature apart. */
const OWN: Partial<Record<KnownTemplate, Record<string, string>>> = {
  github: { "x-github-event": "push", "x-github-delivery": "1" },
  gitlab: { "x-gitlab-event": "Push Hook" },
};

const ANOTHER = "whsec_YW5vdGhlciBzZWNyZXQgdGhhbiB0aGVpcnM=";
const META = Buffer.from('{"object":"page","entry":[{"time":1790000000,"changes":[{"field":"feed"}]}]}');

async function receivedFrom(template: KnownTemplate, over: Record<string, string> = {}) {
  const { body, signedByThem, also, url = URL_SIGNED } = SENDERS[template];
  // Signed like GitHub's: only what it says is Meta's own.
  const metas = () => schemeOf("meta", {}).sign({ body: META, secret: SENDERS.meta.secret, url: "", id: "", now: new Date(NOW) });
  const headers = { ...(template === "meta" ? metas() : signedByThem), ...also, ...OWN[template], ...over };
  return {
    request: { body: template === "meta" ? META : Buffer.from(body), headers, url, remoteAddress: null },
    cut: false,
    receivedAt: NOW,
  };
}

/** A value of theirs is not kept, or there is none. */
const NOT_LEARNT: readonly KnownTemplate[] = [
  "gitlab-token",
  "sns",
  ...SOURCE_TEMPLATES.filter((template) => TEMPLATES[template].takes !== undefined || isBasic(template)),
];

it.each(SOURCE_TEMPLATES.filter((template) => !NOT_LEARNT.includes(template)))(
  "a request of %s and its secret name the sender first, also hours late; another secret names none",
  async (template) => {
    const { secret } = SENDERS[template];
    const request = await receivedFrom(template);
    expect(fitsOf(request, secret)[0]).toMatchObject({ template, scheme: {} });
    expect(fitsOf({ ...request, receivedAt: NOW + 6 * 3_600_000 }, secret)[0]?.template).toBe(template);
    expect(fitsOf(request, ANOTHER)).toEqual([]);
    expect(fitsOf({ ...request, cut: true }, secret)).toEqual([]);
    const { headers, trust } = TEMPLATES[template].scheme({});
    if (headers.some((header) => header !== "authorization") && trust !== "network")
      expect(whyNothingFits(request, ANOTHER).verdict).toMatch(/^It looks like a request from /);
  },
);

it("a home-made signature is described: its header, its digest and what is signed", async () => {
  const { secret } = SENDERS.hmac;
  const [fit] = fitsOf(await receivedFrom("hmac"), secret);
  expect(fit).toBeUndefined(); // "{id}|{timestamp}|{body}" is nobody's usual way
  const { createHmac } = await import("node:crypto");
  const body = SENDERS.hmac.body;
  const at = String(NOW / 1000);
  const digest = (content: string) => createHmac("sha256", secret).update(content).digest();
  const made = (headers: Record<string, string>) =>
    fitsOf({ request: { body: Buffer.from(body), headers, url: URL_SIGNED, remoteAddress: null }, cut: false, receivedAt: NOW }, secret)[0];
  expect(made({ "x-acme-signature": `sha256=${digest(body).toString("hex")}` })).toMatchObject({
    template: "hmac",
    scheme: { hmac: { header: "x-acme-signature", prefix: "sha256=", algorithm: "sha256", encoding: "hex", content: "{body}" } },
  });
  expect(made({ "x-sig": digest(`${at}.${body}`).toString("base64"), "x-time": at })).toMatchObject({
    scheme: { hmac: { encoding: "base64", timestampHeader: "x-time", content: "{timestamp}.{body}", toleranceSeconds: 300 } },
  });
  expect(made({ "x-sig": `t=${at},s=${digest(`${at}.${body}`).toString("hex")}` })).toMatchObject({
    scheme: { hmac: { format: "pairs", part: "s", timestampPart: "t", content: "{timestamp}.{body}" } },
  });
  const iso = new Date(NOW).toISOString();
  expect(made({ "x-sig": digest(`${body}${iso}`).toString("base64"), "x-time": iso })).toMatchObject({
    scheme: { hmac: { timestampHeader: "x-time", timestampForm: "rfc3339", content: "{body}{timestamp}" } },
  });
  expect(made({ "x-sig": digest(`POST${URL_SIGNED}${body}${NOW}`).toString("hex"), "x-time": String(NOW) })).toMatchObject({
    scheme: { hmac: { timestampForm: "milliseconds", content: "{method}{url}{body}{timestamp}" } },
  });
  expect(made({ "x-sig": `ts=${at};h=${digest(`${at}:${body}`).toString("hex")}` })).toMatchObject({
    scheme: { hmac: { separator: ";", part: "h", timestampPart: "ts", content: "{timestamp}:{body}" } },
  });
  const { createHash } = await import("node:crypto");
  expect(
    made({
      "x-digest": createHash("sha256")
        .update(secret + body)
        .digest("hex"),
    }),
  ).toMatchObject({
    scheme: { hmac: { header: "x-digest", method: "hash", content: "{secret}{body}" } },
  });
  const url = `${URL_SIGNED}&mac=${digest(body).toString("hex")}`;
  const request = { body: Buffer.from(body), headers: {}, url, remoteAddress: null };
  expect(fitsOf({ request, cut: false, receivedAt: NOW }, secret)[0]).toMatchObject({
    scheme: { hmac: { query: "mac", content: "{body}" } },
  });
  expect(made(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`x-${n}-id`, digest(`${n}`).toString("hex")])))).toBeUndefined();
});

it("what is known without a check is said: a secret that is not kept, a message of Amazon's", async () => {
  expect(whyNothingFits(await receivedFrom("token", { authorization: "[masked]" }), "the-token").verdict).toBe(
    "It contains a secret in authorization, which Signalbox does not store.",
  );
  expect(whyNothingFits(await receivedFrom("network", { "x-amz-sns-message-type": "Notification" }), "none-at-all").fix).toContain(
    "topics",
  );
  expect(whyNothingFits(await receivedFrom("network"), "none-at-all").verdict).toBe("No known signature fits.");
});

it("names all senders that sign alike where nothing else tells them apart, and says so", async () => {
  const { createHmac } = await import("node:crypto");
  const body = Buffer.from('{"ping":true}');
  const headers = { "x-signature": createHmac("sha256", "a-secret-of-somebody").update(body).digest("hex") };
  const fits = fitsOf(
    { request: { body, headers, url: URL_SIGNED, remoteAddress: null }, cut: false, receivedAt: NOW },
    "a-secret-of-somebody",
  );
  expect(fits.map(({ template }) => template)).toEqual(["clickup", "lemon-squeezy"]);
  expect(undecided(fits)?.verdict).toBe("ClickUp and Lemon Squeezy sign alike, and this request could be from any of them.");
  expect(undecided(fitsOf(await receivedFrom("clickup"), SENDERS.clickup.secret))).toBeNull();
});

it("every sender of the list that signs is found by one request and its secret", () => {
  const signing = SOURCE_TEMPLATES.filter((template) => !NOT_LEARNT.includes(template) && TEMPLATES[template].scheme({}).trust !== "token");
  expect(signing.length).toBeGreaterThanOrEqual(58);
});
