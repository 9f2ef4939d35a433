type Signed = { body: Buffer; headers: Record<string, string>; url: string };

/** Where a request is signed: headers that prove it, texts of its body and of its query. Unless given, all headers and the whole body. */
export type SignedPlaces = { headers?: string[]; texts?: string[]; query?: string[] };

const withOther = (text: string, at: number) => `${text.slice(0, at)}${text[at] === "x" ? "y" : "x"}${text.slice(at + 1)}`;

/** The n-th way to change one character of what is signed, or of the signature. */
export function tampered(signed: Signed, n: number, { headers, texts, query = [] }: SignedPlaces = {}): Signed {
  const body = signed.body.toString("latin1");
  const places = [
    ...(headers ?? Object.keys(signed.headers)).map((name) => (at: number) => {
      const text = signed.headers[name] ?? "";
      return { headers: { ...signed.headers, [name]: withOther(text, at % text.length) } };
    }),
    ...(texts ?? [body]).map((text) => (at: number) => {
      return { body: Buffer.from(withOther(body, body.indexOf(text) + (at % text.length)), "latin1") };
    }),
    ...query.map((text) => (at: number) => ({ url: withOther(signed.url, signed.url.indexOf(text) + (at % text.length)) })),
  ];
  return { ...signed, ...places[n % places.length]?.(Math.floor(n / places.length) * 7) };
}
