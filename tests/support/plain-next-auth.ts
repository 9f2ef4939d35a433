import type { NextRequest } from "next/server";

type Handle = (request: object, answer: PlainAnswer, options: unknown) => Promise<void>;

/** next-auth as tests mock it: it reads the request from Next, which does not run here, so its handler for plain requests is called. */
export const plainNextAuth = ({ default: handle }: { default: Handle }) => ({
  default: async (request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }, options: unknown) => {
    const query = { ...Object.fromEntries(request.nextUrl.searchParams), ...(await context.params) };
    const cookies = Object.fromEntries(request.cookies.getAll().map(({ name, value }) => [name, value]));
    const body = Object.fromEntries(new URLSearchParams(await request.text()));
    const answer = new PlainAnswer();
    await handle({ method: request.method, query, cookies, headers: Object.fromEntries(request.headers), body }, answer, options);
    return new Response(answer.body, { status: answer.code, headers: answer.headers });
  },
});

class PlainAnswer {
  code = 200;
  body: string | null = null;
  readonly headers = new Headers();
  status(code: number) {
    this.code = code;
    return this;
  }
  getHeader = (name: string) => (name === "Set-Cookie" ? this.headers.getSetCookie() : undefined);
  setHeader(name: string, value: string | string[]) {
    this.headers.delete(name);
    for (const each of [value].flat()) this.headers.append(name, each);
    return this;
  }
  redirect(status: number | string, url?: string) {
    this.code = typeof status === "number" ? status : 302;
    this.headers.set("location", url ?? String(status));
    return this;
  }
  end = () => undefined;
  json = (body: unknown) => this.send(JSON.stringify(body));
  send(body: unknown) {
    this.body = typeof body === "string" ? body : JSON.stringify(body);
  }
}
