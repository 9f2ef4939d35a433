import { NextRequest } from "next/server";
import { GET, POST } from "../../app/api/auth/[...nextauth]/route.ts";

// Sign-in by single sign-on without a browser. Its tests mock next-auth by tests/support/plain-next-auth.

export const APP = "http://localhost:3000";

/** The cookies of a browser, of one site. */
export class Jar {
  readonly cookies = new Map<string, string>();
  keep(answer: Response): Response {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const [name = "", ...value] = pair.split("=");
      this.cookies.set(name, value.join("="));
    }
    return answer;
  }
  header = () => [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** Asks the product's own sign-in routes, as this browser. */
export async function ask(jar: Jar, url: string, form?: Record<string, string>): Promise<Response> {
  const { pathname } = new URL(url, APP);
  const headers = { cookie: jar.header(), "content-type": "application/x-www-form-urlencoded" };
  const request = new NextRequest(new URL(url, APP), form ? { method: "POST", headers, body: new URLSearchParams(form) } : { headers });
  const context = { params: Promise.resolve({ nextauth: pathname.replace("/api/auth/", "").split("/") }) };
  return jar.keep(await (form ? POST : GET)(request, context));
}

/** Begins a sign-in. @returns where the browser is sent */
export async function begin(jar: Jar): Promise<string> {
  const { csrfToken } = (await (await ask(jar, "/api/auth/csrf")).json()) as { csrfToken: string };
  const begun = await ask(jar, "/api/auth/signin/oidc", { csrfToken, json: "true", callbackUrl: APP });
  return ((await begun.json()) as { url: string }).url;
}

/** Signs in at the provider. @returns the address that it sends the browser back to */
export async function comeBack(url: string): Promise<string> {
  const jar = new Jar();
  for (let at = url; ; ) {
    const answer = jar.keep(await fetch(at, { redirect: "manual", headers: { cookie: jar.header() } }));
    at = new URL(answer.headers.get("location") ?? "", at).href;
    if (at.startsWith(APP)) return at;
  }
}
