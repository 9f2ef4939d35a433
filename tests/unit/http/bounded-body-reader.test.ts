import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { type BodyReading, BoundedBodyReader } from "#lib/http/request-body";

const KIB = 1024;
const any = { maxBytes: 64 * KIB, contentLength: null };
const bytes = (length: number) => new Uint8Array(length);

async function* chunks(...lengths: number[]): AsyncGenerator<Uint8Array> {
  for (const length of lengths) yield bytes(length);
}

/** A body that stays open until it is let go. */
function open(first = 1) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  async function* stream() {
    yield bytes(first);
    await ended;
  }
  return { stream: stream(), end };
}

const kindOf = async (body: BodyReading) => (typeof body === "string" ? body : body.length);

describe("reading bodies", () => {
  it("takes what fits and cuts one byte more, whatever was announced", async () => {
    const intake = new BoundedBodyReader({ maxBytes: 1024 * KIB, timeoutMs: 1000 });
    expect(await intake.read(chunks(64 * KIB), any, kindOf)).toBe(64 * KIB);
    expect(await intake.read(chunks(64 * KIB, 1), any, kindOf)).toBe("too_large");
    expect(await intake.read(chunks(1), { ...any, contentLength: 64 * KIB + 1 }, kindOf)).toBe("too_large");
    expect(await intake.read(null, any, kindOf)).toBe(0);
  });

  it("has room for so many bytes in hand and no more, and has it again when they are answered", async () => {
    const intake = new BoundedBodyReader({ maxBytes: 100 * KIB, timeoutMs: 1000 });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const inHand = intake.read(chunks(60 * KIB), any, () => answered);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await intake.read(chunks(60 * KIB), any, kindOf)).toBe("overloaded");
    answer();
    await inHand;
    expect(await intake.read(chunks(60 * KIB), any, kindOf)).toBe(60 * KIB);
  });

  it("bounds how many requests are in hand although they hold next to nothing", async () => {
    const intake = new BoundedBodyReader({ maxBytes: 100 * KIB, timeoutMs: 1000 });
    const slow = Array.from({ length: 12 }, () => open());
    const readings = slow.map(({ stream }) => intake.read(stream, any, kindOf));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await intake.read(chunks(1), any, kindOf)).toBe("overloaded");
    for (const { end } of slow) end();
    expect((await Promise.all(readings)).filter((kind) => kind === 1).length).toBeGreaterThan(10);
    expect(await intake.read(chunks(1), any, kindOf)).toBe(1);
  });

  it("lets go of a body that takes too long, and of its room", async () => {
    const intake = new BoundedBodyReader({ maxBytes: 20 * KIB, timeoutMs: 30 });
    const { stream } = open();
    expect(await intake.read(stream, any, kindOf)).toBe("too_slow");
    expect(await intake.read(chunks(5 * KIB), any, kindOf)).toBe(5 * KIB);
  });

  it("says when the sender went away", async () => {
    const intake = new BoundedBodyReader({ maxBytes: 100 * KIB, timeoutMs: 1000 });
    async function* broken() {
      yield bytes(1);
      throw new Error("reset");
    }
    expect(await intake.read(broken(), any, kindOf)).toBe("aborted");
  });

  describe("of a Node stream, which stays open for the answer", () => {
    it("takes what fits, in however many pieces", async () => {
      const intake = new BoundedBodyReader({ maxBytes: 1024 * KIB, timeoutMs: 1000 });
      const stream = new PassThrough();
      const reading = intake.read(stream, any, async (body) => Buffer.from(body as Uint8Array).toString());
      stream.write("one ");
      setImmediate(() => stream.end("two"));
      expect(await reading).toBe("one two");
      expect(await intake.read(new PassThrough().end(), any, kindOf)).toBe(0);
    });

    it("stops at one byte too many, and leaves the rest to be discarded", async () => {
      const intake = new BoundedBodyReader({ maxBytes: 1024 * KIB, timeoutMs: 1000 });
      const stream = new PassThrough();
      stream.write(bytes(64 * KIB + 1));
      expect(await intake.read(stream, any, kindOf)).toBe("too_large");
      expect(stream.destroyed).toBe(false);
      const ended = new Promise((resolve) => stream.once("end", resolve));
      stream.end(bytes(10));
      stream.resume();
      await ended;
    });

    it("says when the sender went away, before or while it is read", async () => {
      const intake = new BoundedBodyReader({ maxBytes: 100 * KIB, timeoutMs: 1000 });
      const stream = new PassThrough();
      const reading = intake.read(stream, any, kindOf);
      stream.write(bytes(1));
      stream.destroy(new Error("reset"));
      expect(await reading).toBe("aborted");
      expect(await intake.read(stream, any, kindOf)).toBe("aborted");
    });

    it("counts nothing of what still comes after it took too long", async () => {
      const intake = new BoundedBodyReader({ maxBytes: 20 * KIB, timeoutMs: 30 });
      const stream = new PassThrough();
      stream.write(bytes(1));
      expect(await intake.read(stream, any, kindOf)).toBe("too_slow");
      stream.write(bytes(12 * KIB));
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await intake.read(chunks(5 * KIB), any, kindOf)).toBe(5 * KIB);
    });
  });
});
