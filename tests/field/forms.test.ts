import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readEvent } from "#lib/flows/events/read-event";
import { readPayload } from "#lib/platform/payload";
import { useDatabase } from "#tests/support/database";
import { useNodeReceiver } from "#tests/support/receivers";
import { useSenders } from "#tests/support/sender-source";

// Bodies of forms as strangers send them.

useDatabase();
const receiver = useNodeReceiver();
const { makeSender } = useSenders(receiver);

const read = (body: string | Uint8Array) => {
  const payload = readPayload(Buffer.from(body));
  return payload.ok ? payload.value : payload.detail;
};

describe("a form is what the WHATWG parser reads", () => {
  // adnanh/webhook#697
  it.each([
    ["a=1\n", { a: "1\n" }],
    ["text=hello world&b=2", { text: "hello world", b: "2" }],
    ["x:y=1", { "x:y": "1" }],
    ["&a=1&&b", { a: "1", b: "" }],
    ["a=1&b=2&a=3&a=", { a: ["1", "3", ""], b: "2" }],
    ["tags[]=%C3%BC&tags[]=+", { "tags[]": ["ü", " "] }],
    ["__proto__=1&a=2", JSON.parse('{"__proto__":"1","a":"2"}')],
  ])("%j", (body, value) => {
    expect(read(body)).toEqual(value);
  });

  it.each(['{"a":"b=c"', '["a=b"', '<a href="b">', "The sum is a=b", "", "=1"])("%j is none", (body) => {
    expect(read(body)).toMatch(/^The body is /);
  });
});

it("a form has at most 1,000 fields: of a gzip body of a kilobyte it could be half a million", () => {
  const form = (fields: number) => Array.from({ length: fields }, (_, n) => `f${n}=${n}`).join("&");
  const parts = (fields: number) =>
    multipart(...Array.from({ length: fields }, (_, n) => `Content-Disposition: form-data; name="f${n}"\r\n\r\n${n}`));
  for (const made of [form, parts]) {
    expect(Object.keys(Object(read(made(1000))))).toHaveLength(1000);
    expect(read(made(1001))).toBe("The form has more than 1000 fields.");
  }
});

const multipart = (...parts: (string | Buffer)[]) =>
  Buffer.concat([...parts.flatMap((part) => ["--a-Boundary\r\n", part, "\r\n"]), "--a-Boundary--\r\n"].map((each) => Buffer.from(each)));
const FIELD = 'Content-Disposition: form-data; name="action"\r\n\r\nöpened';
const PICTURE = Buffer.concat([
  Buffer.from('Content-Disposition: form-data; name="thumb"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'),
  Buffer.from([0xff, 0xd8, 0x0d, 0x0a, 0x00, 0xff]),
]);

describe("multipart/form-data", () => {
  // adnanh/webhook#311, windmill-labs/windmill#3529; Plex sends JSON beside a picture
  it("is stored as the JSON in its part payload, beside a picture", async () => {
    const { name, workspaceId, secret } = await makeSender("github");
    const body = multipart(
      'Content-Disposition: form-data; name="payload"\r\nContent-Type: application/json\r\n\r\n{"action":"opened","number":1.10}',
      PICTURE,
    );
    const headers = {
      "content-type": "multipart/form-data; boundary=a-Boundary",
      "x-github-event": "issues",
      "x-github-delivery": "delivery-1",
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    };
    const answer = await receiver.send(name, { body, headers });
    expect([answer.status, await answer.json()]).toMatchObject([200, { id: "delivery-1", duplicate: false }]);
    const event = await readEvent(workspaceId, "delivery-1");
    expect(event?.type).toBe("issues.opened");
    expect(JSON.stringify(event?.envelope)).toBe('{"action":"opened","number":1.10}');
    expect(Buffer.from(event?.rawBase64 ?? "", "base64")).toEqual(body);
  });

  it("without that part is its fields: text, JSON by its type, and of a file what it is called", () => {
    const json = 'content-type: application/json; charset=utf-8\r\ncontent-disposition: form-data; name=event\r\n\r\n{"id":7}';
    expect(read(multipart(FIELD, json, PICTURE))).toEqual({
      action: "öpened",
      event: { id: 7 },
      thumb: {
        filename: "a.jpg",
        type: "image/jpeg",
        bytes: 6,
        sha256: "757549a73f927abb8bc9037dc86fa7b82ada06d48a31129bd62f4b59ac8c9d3f",
      },
    });
  });

  it.each([
    ["cut", multipart(FIELD, PICTURE).subarray(0, -6)],
    ["without a name", multipart("Content-Disposition: form-data\r\n\r\nx")],
    ["without parts of that form", Buffer.from("--a\r\nb\r\n--a--")],
  ])("that is %s is none", (_, body) => {
    expect(read(body)).toMatch(/^The body is not valid/);
  });
});

// argoproj/argo-events#992, slackapi/node-slack-sdk#790; the fields of docs.slack.dev/interactivity/implementing-slash-commands
it("a slash command of Slack is stored under its command", async () => {
  const { workspaceId, send } = await makeSender("slack");
  const body = "token=x&team_id=T0001&command=%2Fweather&text=94070&response_url=https%3A%2F%2Fhooks.slack.com%2F1&trigger_id=133.738";
  const answer = await send(body, { "content-type": "application/x-www-form-urlencoded" });
  expect(answer.status).toBe(200);
  const { id } = (await answer.json()) as { id: string };
  expect(await readEvent(workspaceId, id)).toMatchObject({ type: "/weather", envelope: { command: "/weather", text: "94070" } });
});
