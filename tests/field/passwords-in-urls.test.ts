import { expect, it } from "vitest";
import { parseEnv } from "#lib/config/env";
import { UNESCAPED } from "#lib/config/setting-formats";

// Tried here: DATABASE_URL with the password p@ss/w:rd#?% as it is. The log said "getaddrinfo ENOTFOUND ss", a piece of it.

const refusal = (name: "DATABASE_URL" | "SMTP_URL", value: string) => {
  try {
    parseEnv({ [name]: value, MAIL_FROM: "a@example.com", SMTP_URL: "smtp://mail.example.com", SMTP_TLS: "optional", [name]: value });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

it.each([
  "postgresql://app:p@ss/w:rd#?%@db.example/app",
  "postgresql://app:pa/ss@db.example/app",
  "postgresql://app:pa?ss@db.example/app",
  "postgresql://app:pa?s=s@db.example/app",
  "postgresql://app:pa#ss@db.example/app",
  "postgresql://app:p@ss/word@db.example",
  "postgresql://app:p@ss?word@db.example/app",
])("a password that ends early is refused by the rule, and nothing of it is said: %s", (url) => {
  expect(refusal("DATABASE_URL", url)).toBe(`Invalid environment:\n  DATABASE_URL ${UNESCAPED}`);
});

it.each([
  "postgresql://app:p%40ss%2Fw%3Ard%23%3F%25@db.example/app",
  "postgresql://app:p:w@db.example:5432/app?sslmode=require",
  "postgresql://app:p@ss@db.example/app", // the last @ counts
  "postgresql://app:p%ss@db.example/app",
  "postgresql://[2001:db8::1]:5432/app",
  "postgresql://db.example/app?user=me@tenant",
  "postgresql:///app?host=/run/postgresql",
  "postgresql://app:secret@/app?host=/run/postgresql",
  "postgresql://%2Frun%2Fpostgresql/app",
  "postgres://db.example",
])("what worked works: %s", (url) => {
  expect(refusal("DATABASE_URL", url)).toBeNull();
});

it("the same holds for the mail server's password", () => {
  expect(refusal("SMTP_URL", "smtp://app:pa#ss@mail.example.com")).toContain("SMTP_URL must be a URL: in its user name and password write");
  expect(refusal("SMTP_URL", "smtp://app:pa%23ss@mail.example.com:587/?pool=true")).toBeNull();
});
