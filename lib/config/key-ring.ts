export type RingKey = { kid: string; key: Uint8Array };

/** Parses `name:base64-of-32-bytes[,older...]`, the active key first. The environment's schema has checked the text. */
export const parseKeyRing = (text: string): RingKey[] =>
  text.split(",").map((entry) => {
    const [kid = "", key = ""] = entry.trim().split(":");
    return { kid, key: new Uint8Array(Buffer.from(key, "base64")) };
  });
